#include "stats/quantiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ashlar::stats {
namespace {

// NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.6.2: twelve resistivity measurements.
const std::vector<double> kNist = {95.1772, 95.1567, 95.1937, 95.1959, 95.1442, 95.0610,
                                   95.1591, 95.1195, 95.1065, 95.0925, 95.1990, 95.1682};

TEST(Quantiles, RefusesWhatHasNoAnswer) {
  EXPECT_EQ(QuantileOfSorted({}, 0.5).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(Median({}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(MedianAbsoluteDeviation({}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(Summarize({}).status().code(), base::StatusCode::kInvalidArgument);
  const std::vector<double> one = {1};
  for (const double p : {-0.01, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(QuantileOfSorted(one, p).status().code(), base::StatusCode::kInvalidArgument) << p;
  }
}

TEST(Quantiles, AreThoseOfTypeSeven) {
  struct Row {
    const char* name;
    std::vector<double> sorted;
    double p;
    double expected;
  };
  std::vector<double> nist = kNist;
  std::sort(nist.begin(), nist.end());
  const std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Row rows[] = {
      {"one value is every quantile", {7}, 0.99, 7},
      {"smallest", ten, 0, 1},
      {"largest", ten, 1, 10},
      // R 4: quantile(1:10) prints 0% 1.00, 25% 3.25, 50% 5.50, 75% 7.75, 100% 10.00.
      {"R lower quartile", ten, 0.25, 3.25},
      {"R median", ten, 0.5, 5.5},
      {"R upper quartile", ten, 0.75, 7.75},
      // The handbook prints 95.1957 for this definition (its R7) of the 90th percentile.
      {"NIST 90th percentile", nist, 0.9, 95.19568},
  };
  for (const Row& row : rows) {
    const auto value = QuantileOfSorted(row.sorted, row.p);
    ASSERT_TRUE(value.ok()) << row.name;
    EXPECT_NEAR(*value, row.expected, 1e-9) << row.name;
  }
}

TEST(Quantiles, MedianAbsoluteDeviationOfAPublishedExample) {
  // Wikipedia, "Median absolute deviation": (1, 1, 2, 2, 4, 6, 9) has median 2 and deviation 1.
  EXPECT_DOUBLE_EQ(Median({9, 1, 6, 2, 4, 1, 2}).value(), 2);
  EXPECT_DOUBLE_EQ(MedianAbsoluteDeviation({9, 1, 6, 2, 4, 1, 2}).value(), 1);
}

TEST(Quantiles, SummaryHoldsAllOfThem) {
  const Summary summary = Summarize({4, 1, 3, 2}).value();
  EXPECT_EQ(summary.count, 4U);
  EXPECT_DOUBLE_EQ(summary.mean, 2.5);
  EXPECT_DOUBLE_EQ(summary.min, 1);
  EXPECT_DOUBLE_EQ(summary.max, 4);
  EXPECT_DOUBLE_EQ(summary.p50, 2.5);
  EXPECT_NEAR(summary.p95, 3.85, 1e-12);                   // by hand: 3 p = 2.85, 3 + 0.85 (4 - 3)
  EXPECT_NEAR(summary.p99, 3.97, 1e-12);                   // by hand: 3 p = 2.97
  EXPECT_DOUBLE_EQ(summary.median_absolute_deviation, 1);  // |x - 2.5| = 0.5 0.5 1.5 1.5
}

}  // namespace
}  // namespace ashlar::stats
