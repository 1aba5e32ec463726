#include "base/clock.h"

#include <gtest/gtest.h>

namespace ashlar::base {
namespace {

TEST(FakeClockTest, StandsStillUntilMoved) {
  const absl::Time start = absl::FromUnixSeconds(1000);
  FakeClock clock(start);
  EXPECT_EQ(clock.Now(), start);
  EXPECT_EQ(clock.Monotonic(), absl::ZeroDuration());
  clock.Advance(absl::Seconds(5));
  EXPECT_EQ(clock.Now(), start + absl::Seconds(5));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

TEST(FakeClockTest, AStepMovesTheWallClockAlone) {
  FakeClock clock(absl::FromUnixSeconds(1000));
  clock.Step(-absl::Hours(1));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(1000 - 3600));
  EXPECT_EQ(clock.Monotonic(), absl::ZeroDuration());
}

TEST(SystemClockTest, NeverGoesBack) {
  const Clock& clock = SystemClock();
  absl::Duration last = clock.Monotonic();
  for (int i = 0; i < 1000; ++i) {
    const absl::Duration now = clock.Monotonic();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GT(clock.Now(), absl::FromUnixSeconds(1767225600)) << "2026-01-01";
}

}  // namespace
}  // namespace ashlar::base
