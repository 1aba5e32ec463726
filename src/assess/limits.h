// Named limits of `assess`. Each has a test at and over it.
#pragma once

#include <cstddef>

namespace ashlar::assess {

inline constexpr size_t kMaxEntriesOfAKind = 200;  // newest entries of a kind that a scorecard looks at
inline constexpr size_t kMaxPointers = 16;         // evidence pointers shown for one consideration
inline constexpr size_t kMaxNamesInReason = 8;     // names listed in a reason before "and N more"
inline constexpr size_t kMaxSeries = 5;            // curves in one plot: as many as can be told apart

}  // namespace ashlar::assess
