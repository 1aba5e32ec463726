#include "stats/median_interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/limits.h"
#include "stats/quantiles.h"

namespace ashlar::stats {
namespace {

constexpr double kTail = 0.025;               // each side of 95 %
constexpr double kNormalHalfQuantile = 0.98;  // 1.96 / 2: the standard deviation of Binomial(n, 1/2) is sqrt(n) / 2

size_t ExactRank(size_t count) {
  // Probabilities by recurrence in logarithms: 2^-1000 would underflow.
  double log_probability = -static_cast<double>(count) * std::numbers::ln2;
  double below = std::exp(log_probability);  // P(X < 1)
  size_t rank = 0;
  while (below <= kTail) {
    ++rank;
    log_probability += std::log(static_cast<double>(count - rank + 1) / static_cast<double>(rank));
    below += std::exp(log_probability);
  }
  return rank;
}

}  // namespace

base::StatusOr<size_t> MedianIntervalRank(size_t count) {
  if (count < kMinMedianIntervalSamples) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "{} values give no 95 % interval of the median: measure at least {}", count,
                       kMinMedianIntervalSamples);
  }
  if (count <= kExactBinomialSamples) return ExactRank(count);
  const double size = static_cast<double>(count);
  return static_cast<size_t>(std::floor((size + 1) / 2 - kNormalHalfQuantile * std::sqrt(size)));
}

base::StatusOr<MedianInterval> MedianInterval95(std::vector<double> sample) {
  ASHLAR_ASSIGN_OR_RETURN(const size_t rank, MedianIntervalRank(sample.size()));
  std::sort(sample.begin(), sample.end());
  MedianInterval interval;
  interval.low = sample[rank - 1];
  interval.high = sample[sample.size() - rank];
  ASHLAR_ASSIGN_OR_RETURN(interval.median, QuantileOfSorted(sample, 0.5));
  if (interval.high > interval.low) {
    interval.relative_half_width = (interval.high - interval.low) / 2 / std::abs(interval.median);
  }
  return interval;
}

}  // namespace ashlar::stats
