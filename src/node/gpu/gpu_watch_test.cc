#include "node/gpu/gpu_watch.h"

#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"

namespace ashlar::node {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);  // ends a broken test, and is never waited for otherwise
constexpr absl::Duration kShort = absl::Milliseconds(20);

GpuWatchOptions FakeOptions() { return {GpuVendor::kNvidia, FakeNvmlPath()}; }

TEST(GpuWatchTest, ReadsWithinTheDeadline) {
  GpuWatch watch(FakeOptions());
  const auto inventory = watch.Read(kLong);
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->gpus.size(), 8U);
}

TEST(GpuWatchTest, NamesTheCallThatHangs) {
  FakeDriverHang hang("gpus=1");
  GpuWatch watch(FakeOptions());
  const auto late = watch.Read(kShort);
  EXPECT_EQ(late.status().code(), base::StatusCode::kDeadlineExceeded);
  EXPECT_NE(base::Message(late.status()).find("nvmlDeviceGetPowerUsage"), std::string_view::npos) << late.status();
  // While it hangs every other request is refused at once, and no second thread is started.
  EXPECT_EQ(watch.Read(kLong).status().code(), base::StatusCode::kUnavailable);
  hang.Release();
  EXPECT_TRUE(watch.WaitUntilIdle(kLong));
  EXPECT_TRUE(watch.Read(kLong).ok()) << "a driver that answers again is read again";
}

TEST(GpuWatchTest, AHungCallDoesNotHoldUpTheEnd) {
  FakeDriverHang hang("gpus=1");
  {
    GpuWatch watch(FakeOptions());
    EXPECT_EQ(watch.Read(kShort).status().code(), base::StatusCode::kDeadlineExceeded);
  }
  hang.Release();  // the thread that was left behind ends by itself
}

TEST(GpuWatchTest, StartsOverAfterAnError) {
  GpuWatch watch(FakeOptions());
  {
    const FakeDriverSettings told("init=9");
    EXPECT_EQ(watch.Read(kLong).status().code(), base::StatusCode::kFailedPrecondition);
  }
  EXPECT_TRUE(watch.Read(kLong).ok());
}

TEST(GpuWatchTest, SensorsComeLater) {
  base::FakeClock clock(absl::UnixEpoch());
  GpuWatchOptions options = FakeOptions();
  options.clock = &clock;
  GpuWatch watch(options);
  std::optional<GpuReading> reading;
  EXPECT_EQ(watch.Last(absl::Seconds(5), reading).code(), base::StatusCode::kUnavailable) << "nothing was asked for";
  watch.StartSensors();
  ASSERT_TRUE(watch.WaitUntilIdle(kLong));
  ASSERT_TRUE(watch.Last(absl::Seconds(5), reading).ok());
  ASSERT_TRUE(reading->inventory.ok()) << reading->inventory.status();
  EXPECT_EQ(reading->inventory->gpus.size(), 8U);
  EXPECT_EQ(reading->asked_at, clock.Monotonic());
}

TEST(GpuWatchTest, LosesPatienceWithAReadingThatHangs) {
  FakeDriverHang hang("gpus=1");
  base::FakeClock clock(absl::UnixEpoch());
  GpuWatchOptions options = FakeOptions();
  options.clock = &clock;
  GpuWatch watch(options);
  watch.StartSensors();
  EXPECT_FALSE(watch.WaitUntilIdle(kShort));
  std::optional<GpuReading> reading;
  clock.Advance(absl::Seconds(6));
  const base::Status status = watch.Last(absl::Seconds(5), reading);
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_NE(base::Message(status).find("nvmlDeviceGetPowerUsage has not answered for 6.00 s"), std::string_view::npos)
      << status;
  watch.StartSensors();  // refused in silence: one is running
  hang.Release();
  EXPECT_TRUE(watch.WaitUntilIdle(kLong));
}

TEST(ReadGpusTest, ReadsEitherVendor) {
  const auto nvidia = ReadGpus(GpuVendor::kNvidia, FakeGpuSources());
  ASSERT_TRUE(nvidia.ok()) << nvidia.status();
  EXPECT_EQ(nvidia->vendor, GpuVendor::kNvidia);
  const auto amd = ReadGpus(GpuVendor::kAmd, FakeGpuSources());
  ASSERT_TRUE(amd.ok()) << amd.status();
  EXPECT_EQ(amd->vendor, GpuVendor::kAmd);
  EXPECT_EQ(ReadGpus(GpuVendor::kNvidia, NoGpuSources()).status().code(), base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::node
