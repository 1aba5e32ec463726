// Any text as a kernel log: parsed, and searched for events.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "node/checks/kernel_events.h"
#include "node/checks/kernel_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ashlar;
  static const auto rules = node::KernelEventRules::Load();
  if (!rules.ok()) std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto log = node::ParseKernelLog(text);
  if (!log.ok()) return 0;
  const auto events = node::FindKernelEvents(*rules, *log, absl::ZeroDuration());
  size_t found = 0;
  for (const auto& event : events) found += event.count;
  if (found > log->records.size()) std::abort();  // a record is one event at most
  return 0;
}
