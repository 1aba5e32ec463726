#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ashlar::stats {
namespace {

base::Status EmptySample() {
  return base::Error(base::StatusCode::kInvalidArgument, "the sample is empty: measure at least once");
}

}  // namespace

base::StatusOr<double> QuantileOfSorted(std::span<const double> sorted, double p) {
  if (sorted.empty()) return EmptySample();
  if (!(p >= 0 && p <= 1)) {
    return base::Error(base::StatusCode::kInvalidArgument, "quantile {} is outside 0 to 1", p);
  }
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(std::floor(position));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

base::StatusOr<double> Median(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  return QuantileOfSorted(sample, 0.5);
}

base::StatusOr<double> MedianAbsoluteDeviation(std::vector<double> sample) {
  ASHLAR_ASSIGN_OR_RETURN(const double median, Median(sample));
  for (double& value : sample) value = std::abs(value - median);
  return Median(std::move(sample));
}

base::StatusOr<Summary> Summarize(std::vector<double> sample) {
  if (sample.empty()) return EmptySample();
  std::sort(sample.begin(), sample.end());
  Summary summary;
  summary.count = sample.size();
  summary.mean = std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
  summary.min = sample.front();
  summary.max = sample.back();
  ASHLAR_ASSIGN_OR_RETURN(summary.p50, QuantileOfSorted(sample, 0.50));
  ASHLAR_ASSIGN_OR_RETURN(summary.p95, QuantileOfSorted(sample, 0.95));
  ASHLAR_ASSIGN_OR_RETURN(summary.p99, QuantileOfSorted(sample, 0.99));
  ASHLAR_ASSIGN_OR_RETURN(summary.median_absolute_deviation, MedianAbsoluteDeviation(std::move(sample)));
  return summary;
}

}  // namespace ashlar::stats
