// Named limits of `stats`.
#pragma once

#include <cstddef>

namespace ashlar::stats {

inline constexpr size_t kMinMedianIntervalSamples = 6;  // 1 - 2/2^5 = 93.75 % < 95 % with five: no interval exists
inline constexpr size_t kExactBinomialSamples = 1000;   // above, the normal approximation is off by at most one rank

}  // namespace ashlar::stats
