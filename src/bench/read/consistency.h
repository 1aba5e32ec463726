// Whether a collective's result table can be true: what it says is held against itself.
//
// No machine is known here and nothing is expected of it; what cannot be checked is unknown, never a pass. Formulas of
// algorithm and bus bandwidth: NVIDIA/nccl-tests doc/PERFORMANCE.md. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/read/record.h"

namespace ashlar::bench {

// How bus bandwidth follows from algorithm bandwidth on n ranks.
enum class BusFactor {
  kTwiceRing,  // 2(n-1)/n: all_reduce
  kRing,       // (n-1)/n: all_gather, reduce_scatter, alltoall, gather, scatter
  kOne,        // reduce, broadcast, sendrecv
};
// By the test's name as the tool prints it, of any case, with or without "_perf"; nullopt for one that is not known.
std::optional<BusFactor> BusFactorOf(std::string_view test);

// The ranks that fit every row of `run`, rounding of the printed figures considered; `high` is infinite when the
// figures set no upper end. nullopt when the rows contradict one another or the formula, or say nothing.
std::optional<Interval> RanksFromBandwidths(const CollectiveTable& run, BusFactor factor);

// Findings, each with the lines it rests on: read-complete, read-bandwidth, read-ranks, read-average, read-correct.
std::vector<base::Finding> CheckConsistency(const RunRecord& record);

}  // namespace ashlar::bench
