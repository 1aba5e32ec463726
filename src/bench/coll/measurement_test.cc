#include "bench/coll/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base.h"
#include "bench/coll/limits.h"
#include "bench/coll/thread_backend_testing.h"

namespace ashlar::bench {
namespace {

// Measures an empty all_reduce in a world of two threads whose times are made up; rank 0's result.
base::StatusOr<Measurement> MeasureIn(ThreadWorld& world, const MeasureOptions& options) {
  base::StatusOr<Measurement> first = base::Error(base::StatusCode::kInternal, "rank 0 did not run");
  world.Run([&](CollectiveBackend& backend) {
    const CollectiveCall call{.count = 0};
    auto measured = Measure(backend, call, options);
    if (backend.rank() == 0) first = std::move(measured);
  });
  return first;
}

TEST(Measurement, PassesTheBackendsErrorOn) {
  ThreadWorld world(2, [](const CollectiveCall&, int64_t) { return 1e-6; },
                    {.time_error = base::Error(base::StatusCode::kInternal, "link down")});
  for (const auto& iterations : {std::optional<int64_t>(), std::optional<int64_t>(5)}) {
    EXPECT_EQ(base::Message(MeasureIn(world, {.iterations = iterations}).status()), "link down");
  }
}

TEST(Measurement, FixedRunsExactlyWhatWasAsked) {
  struct Row {
    const char* name;
    double seconds;
    int64_t iterations;
    int64_t warmup;
    int64_t aggregate;
    int64_t batch;  // iterations in the shorter batches
    size_t samples;
    int64_t operations;  // all of them: warm-up, one to see how long it takes, and the timed ones
  };
  // Batches last at least 25 us: 25 operations of 1 us, 1 of 100 us. 103 in batches of at least 25 are 4 batches, three
  // of 26 and one of 25.
  const Row rows[] = {
      {"few fast ones", 1e-6, 20, 1, 1, 20, 1, 22},
      {"many fast ones", 1e-6, 103, 0, 1, 25, 4, 104},
      {"slow ones", 1e-4, 20, 5, 1, 1, 20, 26},
      {"one", 1e-6, 1, 0, 1, 1, 1, 2},
      {"aggregated", 1e-5, 10, 1, 3, 1, 10, 3 * (1 + 1 + 10)},
  };
  for (const Row& row : rows) {
    ThreadWorld world(2, [&row](const CollectiveCall&, int64_t) { return row.seconds; });
    const auto measured =
        MeasureIn(world, {.iterations = row.iterations, .warmup_iterations = row.warmup, .aggregate = row.aggregate});
    ASSERT_TRUE(measured.ok()) << row.name << measured.status();
    EXPECT_EQ(measured->iterations, row.iterations) << row.name;
    EXPECT_EQ(measured->batch_iterations, row.batch) << row.name;
    EXPECT_EQ(measured->seconds.count, row.samples) << row.name;
    EXPECT_NEAR(measured->seconds.p50, row.seconds, 1e-12) << row.name;
    EXPECT_EQ(measured->converged, std::nullopt) << row.name;
    EXPECT_EQ(measured->interval.has_value(), row.samples >= 6) << row.name;
    EXPECT_EQ(world.operations(), row.operations) << row.name;
  }
}

TEST(Measurement, AdaptiveStopsWhenTheMedianIsKnown) {
  ThreadWorld world(2, [](const CollectiveCall&, int64_t) { return 1e-5; });
  const auto measured = MeasureIn(world, {.time_limit = absl::Minutes(10)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->converged, true);
  EXPECT_EQ(measured->batch_iterations, 10);  // 100 us of 10 us each
  EXPECT_GE(measured->seconds.count, static_cast<size_t>(kMinBatches));
  EXPECT_EQ(measured->iterations, 10 * static_cast<int64_t>(measured->seconds.count));
}

TEST(Measurement, AdaptiveSaysWhenTheTimeWasNotEnough) {
  // Two modes 40 % apart, taken in turn: the interval of the median never gets narrow.
  ThreadWorld world(2, [](const CollectiveCall&, int64_t batch) { return batch % 2 == 0 ? 1e-3 : 1.4e-3; });
  const auto measured = MeasureIn(world, {.time_limit = absl::ZeroDuration(), .least_batches = 6});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->converged, false);
  EXPECT_EQ(measured->seconds.count, 6U);
  EXPECT_TRUE(measured->interval.has_value());
}

TEST(Measurement, AdaptiveCalibratesAnewAfterASlowStart) {
  // The first six batches come while something else has the core; then an operation takes 1 us.
  ThreadWorld world(2, [](const CollectiveCall&, int64_t batch) { return batch < 6 ? 4e-3 : 1e-6; });
  const auto measured = MeasureIn(world, {.warmup_iterations = 1, .time_limit = absl::Minutes(10)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->batch_iterations, 100);
  EXPECT_NEAR(measured->seconds.max, 1e-6, 1e-12);
}

TEST(Measurement, TimesOfTheRanksAreCombinedAsAsked) {
  const double times[] = {4, 1, 7};
  EXPECT_EQ(CombineRanks(times, RankAverage::kRankZero), 4);
  EXPECT_EQ(CombineRanks(times, RankAverage::kMean), 4);
  EXPECT_EQ(CombineRanks(times, RankAverage::kMinimum), 1);
  EXPECT_EQ(CombineRanks(times, RankAverage::kMaximum), 7);
}

TEST(Measurement, ShowsSignsOfLife) {
  ThreadWorld world(1, [](const CollectiveCall&, int64_t) { return 0.6; });
  std::vector<std::string> signs;
  const MeasureOptions options{.iterations = 3,
                               .on_round = [&signs](std::string_view phase) { signs.emplace_back(phase); }};
  ASSERT_TRUE(MeasureIn(world, options).ok());
  // 0.6 s an iteration: a round of at most 1 s holds one.
  EXPECT_THAT(signs, ::testing::ElementsAre("warm-up", "timing", "timing", "timing"));
}

}  // namespace
}  // namespace ashlar::bench
