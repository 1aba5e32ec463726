// Any text as /proc/PID/stat, /proc/uptime and /etc/resolv.conf.
#include <cstdint>
#include <string_view>

#include "node/checks/process_stat.h"
#include "node/checks/resolver_configuration.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ashlar::node::ParseProcessStat(text);
  (void)ashlar::node::ParseUptime(text);
  (void)ashlar::node::ParseNameServers(text);
  return 0;
}
