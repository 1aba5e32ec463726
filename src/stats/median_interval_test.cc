#include "stats/median_interval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "stats/limits.h"

namespace ashlar::stats {
namespace {

TEST(MedianInterval, NeedsSixValues) {
  EXPECT_EQ(MedianIntervalRank(kMinMedianIntervalSamples - 1).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(MedianInterval95({1, 2, 3, 4, 5}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_TRUE(MedianIntervalRank(kMinMedianIntervalSamples).ok());
}

TEST(MedianInterval, RanksAreThoseOfTheTables) {
  // Published tables of 95 % intervals of the median (for example Hahn and Meeker, "Statistical Intervals", table A.15,
  // and the critical values of the two-sided sign test at 5 %, which are d - 1).
  struct Row {
    size_t count;
    size_t rank;
  };
  const Row rows[] = {{6, 1},  {8, 1},  {9, 2},  {10, 2},  {11, 2},  {12, 3},  {15, 4},  {16, 4},
                      {17, 5}, {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
  for (const Row& row : rows) EXPECT_EQ(MedianIntervalRank(row.count).value(), row.rank) << row.count;
}

TEST(MedianInterval, BothFormulasMeetAtTheLimit) {
  const size_t exact = MedianIntervalRank(kExactBinomialSamples).value();
  const size_t approximate = MedianIntervalRank(kExactBinomialSamples + 1).value();
  EXPECT_EQ(exact, 469U);  // tables give the ranks 469 and 532 for a thousand values
  EXPECT_LE(approximate, exact + 1);
  EXPECT_GE(approximate + 1, exact);
}

TEST(MedianInterval, EnclosesTheMedian) {
  const MedianInterval interval = MedianInterval95({10, 1, 9, 2, 8, 3, 7, 4, 6, 5}).value();
  EXPECT_DOUBLE_EQ(interval.low, 2);
  EXPECT_DOUBLE_EQ(interval.high, 9);
  EXPECT_DOUBLE_EQ(interval.median, 5.5);
  EXPECT_NEAR(interval.relative_half_width, 3.5 / 5.5, 1e-12);
}

TEST(MedianInterval, EqualValuesHaveNoWidth) {
  EXPECT_DOUBLE_EQ(MedianInterval95(std::vector<double>(6, 0.0)).value().relative_half_width, 0);
}

TEST(MedianInterval, HoldsTheTrueMedianAtLeastAsOftenAsItSays) {
  // A skewed distribution with a known median (exponential: ln 2). Of 2,000 intervals at >= 95 % (96.1 % for n = 20)
  // fewer than 1,860 hits (93 %) has a chance below one in a million.
  std::mt19937_64 random(20260102);
  std::exponential_distribution<double> exponential(1);
  int hits = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> sample(20);
    for (double& value : sample) value = exponential(random);
    const MedianInterval interval = MedianInterval95(sample).value();
    if (interval.low <= 0.6931471805599453 && 0.6931471805599453 <= interval.high) ++hits;
  }
  EXPECT_GE(hits, 1860);
}

}  // namespace
}  // namespace ashlar::stats
