// How well a sample pins down the median, whatever its distribution.
//
// Timings are skewed and have two modes as often as one, so an interval that assumes a bell curve is wrong. Order
// statistics need no such assumption. No state; any thread may call these.
#pragma once

#include <cstddef>
#include <vector>

#include "base/base.h"

namespace ashlar::stats {

struct MedianInterval {
  double low = 0;
  double high = 0;
  double median = 0;
  // Half the width over the median: 0.02 is "within 2 %". 0 when low equals high.
  double relative_half_width = 0;
};

// Rank d (from 1) such that the d-th smallest and d-th largest of `count` values enclose the median with at least 95 %
// confidence: the largest d with 1 - 2 P(Binomial(count, 1/2) < d) >= 0.95. Source: David and Nagaraja, "Order
// Statistics", 3rd edition, 7.1. Above kExactBinomialSamples the normal approximation, rounded outwards.
// kInvalidArgument below kMinMedianIntervalSamples.
base::StatusOr<size_t> MedianIntervalRank(size_t count);

// The 95 % interval of the median of independent values. kInvalidArgument as MedianIntervalRank.
base::StatusOr<MedianInterval> MedianInterval95(std::vector<double> sample);

}  // namespace ashlar::stats
