// Order statistics of a small sample, exact: quantiles, median, spread.
//
// Functions take the sample by value or as a sorted span and hold no state; any thread may call them. Samples must be
// finite; a caller that may hold NaN removes them first.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/base.h"

namespace ashlar::stats {

// The quantile `p` (0 to 1) of `sorted` (ascending). Type 7 of Hyndman and Fan, "Sample Quantiles in Statistical
// Packages", The American Statistician 50 (1996): linear between the order statistics around (n - 1) p; the default of
// R, NumPy and Excel. kInvalidArgument for an empty sample or `p` outside [0, 1].
base::StatusOr<double> QuantileOfSorted(std::span<const double> sorted, double p);

// The median; kInvalidArgument for an empty sample.
base::StatusOr<double> Median(std::vector<double> sample);

// Median absolute deviation from the median, unscaled (times 1.4826 it estimates a normal standard deviation).
// kInvalidArgument for an empty sample.
base::StatusOr<double> MedianAbsoluteDeviation(std::vector<double> sample);

// What a report says of a sample, in the sample's own unit.
struct Summary {
  size_t count = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
  double median_absolute_deviation = 0;
};

// kInvalidArgument for an empty sample.
base::StatusOr<Summary> Summarize(std::vector<double> sample);

}  // namespace ashlar::stats
