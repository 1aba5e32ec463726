#include "node/sensors/counter.h"

#include <limits>

namespace ashlar::node {

std::optional<uint64_t> CounterDelta(uint64_t previous, uint64_t now, CounterKind kind) {
  if (now >= previous) return now - previous;
  if (kind == CounterKind::kStepsBack && previous - now <= kStepBackTicks) return 0;
  if (kind == CounterKind::k32Bit && previous <= std::numeric_limits<uint32_t>::max()) {
    constexpr uint64_t kRange = uint64_t{1} << 32U;
    const uint64_t wrapped = kRange - previous + now;
    if (wrapped < kRange / 2) return wrapped;
  }
  return std::nullopt;
}

}  // namespace ashlar::node
