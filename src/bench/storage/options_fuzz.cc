// A demand as a person types it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bench/storage/options.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto demand = ashlar::bench::ParseStorageDemand(text);
  if (demand.ok() && demand->checkpoint) {
    if (!(demand->stall_share > 0 && demand->stall_share <= 1)) __builtin_trap();
    if (demand->interval <= absl::ZeroDuration()) __builtin_trap();
  }
  ashlar::bench::StorageAxes axes;
  axes.depths = std::string(text);
  ashlar::bench::CrossStorageCells(axes).IgnoreError();
  axes = {};
  axes.blocks = std::string(text);
  ashlar::bench::CrossStorageCells(axes).IgnoreError();
  return 0;
}
