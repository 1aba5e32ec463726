// Any text is read or refused, and what is read can be written as JSON.
#include <cstdint>
#include <cstdlib>

#include "base/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace base = ashlar::base;
  const auto yaml = base::ParseYaml(std::string_view(reinterpret_cast<const char*>(data), size));
  if (yaml.ok() && !base::ParseJson(base::WriteJson(*yaml)).ok()) std::abort();
  return 0;
}
