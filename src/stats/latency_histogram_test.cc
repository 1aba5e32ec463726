#include "stats/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace ashlar::stats {
namespace {

// Nearest rank on the sorted sample: the definition that the header promises.
double ExactQuantile(std::vector<int64_t> sample, double share) {
  std::sort(sample.begin(), sample.end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sample.size())));
  return static_cast<double>(sample[std::max<size_t>(rank, 1) - 1]);
}

TEST(LatencyHistogramTest, NothingRecordedIsZeroEverywhere) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.Quantile(0.5), absl::ZeroDuration());
  EXPECT_EQ(histogram.Min(), absl::ZeroDuration());
  EXPECT_EQ(histogram.Max(), absl::ZeroDuration());
  EXPECT_EQ(histogram.Mean(), absl::ZeroDuration());
}

TEST(LatencyHistogramTest, AClockThatWentBackCountsAsZero) {
  LatencyHistogram histogram;
  histogram.Record(-5);
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_EQ(histogram.Max(), absl::ZeroDuration());
}

TEST(LatencyHistogramTest, SharesOutsideZeroToOneAreTheEnds) {
  LatencyHistogram histogram;
  histogram.Record(10);
  histogram.Record(100);
  EXPECT_EQ(histogram.Quantile(-1), absl::Nanoseconds(10));
  EXPECT_EQ(histogram.Quantile(0), absl::Nanoseconds(10));
  EXPECT_EQ(histogram.Quantile(2), absl::Nanoseconds(100));
}

// 1..100: the nearest-rank p50 is 50, p95 is 95, p99 is 99 (by the definition); all below 128, so exact.
TEST(LatencyHistogramTest, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (int64_t value = 1; value <= 100; ++value) histogram.Record(value);
  EXPECT_EQ(histogram.Quantile(0.50), absl::Nanoseconds(50));
  EXPECT_EQ(histogram.Quantile(0.95), absl::Nanoseconds(95));
  EXPECT_EQ(histogram.Quantile(0.99), absl::Nanoseconds(99));
  EXPECT_EQ(histogram.Quantile(1.0), absl::Nanoseconds(100));
  EXPECT_EQ(histogram.Mean(), absl::Nanoseconds(50.5));
}

// Every power of two and its neighbours, up to the limit: alone in the histogram the value comes back exactly, since
// minimum and maximum are exact; between two others it comes back within the stated error.
TEST(LatencyHistogramTest, EdgesOfBucketsStayWithinTheError) {
  for (int bit = 0; bit <= 40; ++bit) {
    for (int64_t step : {-1, 0, 1}) {
      const int64_t value = (int64_t{1} << bit) + step;
      if (value < 1 || value >= LatencyHistogram::kLargestNanoseconds) continue;
      LatencyHistogram alone;
      alone.Record(value);
      EXPECT_EQ(alone.Quantile(0.5), absl::Nanoseconds(value)) << value;
      LatencyHistogram between;
      between.Record(0);
      between.Record(value);
      between.Record(LatencyHistogram::kLargestNanoseconds);
      const double seen = absl::ToDoubleNanoseconds(between.Quantile(0.5));
      EXPECT_LE(std::abs(seen - static_cast<double>(value)),
                static_cast<double>(value) * LatencyHistogram::kRelativeError)
          << value;
    }
  }
}

TEST(LatencyHistogramTest, AtAndOverTheLargestDuration) {
  LatencyHistogram histogram;
  histogram.Record(LatencyHistogram::kLargestNanoseconds);
  EXPECT_EQ(histogram.Quantile(0.5), absl::Nanoseconds(LatencyHistogram::kLargestNanoseconds));
  histogram.Record(LatencyHistogram::kLargestNanoseconds * 3);
  EXPECT_EQ(histogram.Max(), absl::Nanoseconds(LatencyHistogram::kLargestNanoseconds * 3));
  EXPECT_EQ(histogram.Quantile(1.0), histogram.Max());
  EXPECT_EQ(histogram.count(), 2U);
}

struct SampleCase {
  std::string name;
  double mean_of_log;  // of a log-normal distribution of nanoseconds
  double sigma_of_log;
  size_t count;
};

class LatencyHistogramSampleTest : public testing::TestWithParam<SampleCase> {};

TEST_P(LatencyHistogramSampleTest, QuantilesAgreeWithTheSortedSample) {
  const SampleCase& sample_case = GetParam();
  std::mt19937_64 random(20240607);  // fixed seed
  std::lognormal_distribution<double> distribution(sample_case.mean_of_log, sample_case.sigma_of_log);
  std::vector<int64_t> sample;
  LatencyHistogram histogram;
  double sum = 0;
  for (size_t i = 0; i < sample_case.count; ++i) {
    sample.push_back(static_cast<int64_t>(distribution(random)));
    histogram.Record(sample.back());
    sum += static_cast<double>(sample.back());
  }
  for (double share : {0.0, 0.01, 0.25, 0.5, 0.95, 0.99, 0.999, 1.0}) {
    const double exact = ExactQuantile(sample, share);
    EXPECT_NEAR(absl::ToDoubleNanoseconds(histogram.Quantile(share)), exact, exact * LatencyHistogram::kRelativeError)
        << "share " << share;
  }
  EXPECT_NEAR(absl::ToDoubleNanoseconds(histogram.Mean()), sum / static_cast<double>(sample.size()), 1);
}

INSTANTIATE_TEST_SUITE_P(Samples, LatencyHistogramSampleTest,
                         testing::Values(SampleCase{"FastDisk", 11.3, 0.4, 50'000},
                                         SampleCase{"LongTail", 13.0, 2.0, 50'000},
                                         SampleCase{"FewOperations", 16.0, 1.0, 7}, SampleCase{"One", 9.0, 1.0, 1}),
                         [](const auto& row) { return row.param.name; });

TEST(LatencyHistogramTest, MergeIsTheSameAsRecordingBoth) {
  LatencyHistogram left;
  LatencyHistogram right;
  LatencyHistogram both;
  for (int64_t value : {5, 900, 70'000}) {
    left.Record(value);
    both.Record(value);
  }
  for (int64_t value : {1, 2'000'000, 300}) {
    right.RecordMany(value, 3);
    both.RecordMany(value, 3);
  }
  left.Merge(right);
  EXPECT_EQ(left.count(), 12U);
  for (double share : {0.0, 0.3, 0.5, 0.8, 1.0}) EXPECT_EQ(left.Quantile(share), both.Quantile(share));
  EXPECT_EQ(left.Mean(), both.Mean());
  EXPECT_EQ(left.Min(), absl::Nanoseconds(1));
}

TEST(LatencyHistogramTest, MergingNothingChangesNothing) {
  LatencyHistogram histogram;
  histogram.Record(42);
  histogram.Merge(LatencyHistogram());
  EXPECT_EQ(histogram.Min(), absl::Nanoseconds(42));
  LatencyHistogram empty;
  empty.Merge(histogram);
  EXPECT_EQ(empty.Min(), absl::Nanoseconds(42));
  EXPECT_EQ(empty.Max(), absl::Nanoseconds(42));
}

TEST(LatencyHistogramTest, ClearForgets) {
  LatencyHistogram histogram;
  histogram.RecordMany(7, 0);
  EXPECT_EQ(histogram.count(), 0U);
  histogram.Record(42);
  histogram.Clear();
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.Quantile(1), absl::ZeroDuration());
  histogram.Record(9);
  EXPECT_EQ(histogram.Min(), absl::Nanoseconds(9));
}

}  // namespace
}  // namespace ashlar::stats
