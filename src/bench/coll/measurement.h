// Timing one collective at one size: a fixed number of iterations, or as many as the median needs.
//
// Every rank calls Measure with the same arguments; all see the same samples, so all take the same decisions. Between
// two operations there is nothing but the loop: batches run back to back with one clock reading each, and ranks talk
// only between rounds. The calling thread must be the backend's.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/arguments.h"
#include "bench/coll/backend.h"
#include "stats/stats.h"

namespace ashlar::bench {

struct MeasureOptions {
  std::optional<int64_t> iterations;  // fixed; none: adaptive
  int64_t warmup_iterations = 1;
  int64_t aggregate = 1;  // operations that count as one iteration
  RankAverage average = RankAverage::kMean;
  double interval = 0.02;     // adaptive: wanted half width of the median's 95 % interval over the median
  absl::Duration time_limit;  // adaptive: for this placement
  int64_t least_batches = 6;  // adaptive: taken even when the time is over
  std::function<void(std::string_view)> on_round;  // a sign of life before each round; may be empty
};

struct Measurement {
  int64_t iterations = 0;        // timed ones
  int64_t batch_iterations = 0;  // iterations in one sample
  stats::Summary seconds;        // of the samples: seconds of one operation, averaged over its batch and the ranks
  std::optional<stats::MedianInterval> interval;  // none below six samples
  int64_t preemptions = 0;        // times that the kernel took a core from a rank while it timed, over all ranks
  std::optional<bool> converged;  // adaptive: the interval was reached; none in fixed mode
};

// Errors as the backend's.
base::StatusOr<Measurement> Measure(CollectiveBackend& backend, const CollectiveCall& call,
                                    const MeasureOptions& options);

// Repeats the operation for `time` (kSettlingTime), so that the kernel gives each rank a core of its own. Once a run.
base::Status SettleRanks(CollectiveBackend& backend, const CollectiveCall& call, absl::Duration time);

// One value from the ranks' times of the same batch.
double CombineRanks(std::span<const double> times, RankAverage average);

}  // namespace ashlar::bench
