// Whatever is read is written again in both forms and must read back the same.
#include <cstdlib>

#include "bench/coll/hostfile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto hosts = ashlar::bench::ParseHostfile(text);
  if (!hosts.ok()) return 0;
  if (ashlar::bench::TotalSlots(*hosts) > ashlar::bench::TotalSlots({{"a", 65'536}})) return 0;  // sums of doubles
  if (ashlar::bench::ParseHostfile(ashlar::bench::OpenMpiHostfile(*hosts)).value() != *hosts) std::abort();
  if (ashlar::bench::ParseHostfile(ashlar::bench::MpichHostfile(*hosts)).value() != *hosts) std::abort();
  return 0;
}
