#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ashlar::base {
namespace {

TEST(ParseSizeTest, RefusesWhatIsNoSize) {
  for (const char* text : {"", "K", "-1", "+1", " 1", "1 ", "1 K", "1KB", "1KiB", "1KK", "1e3", "0x10", "1.2.3", "nan",
                           "inf", "1P", "9300000000000000000", "99999999999T"}) {
    EXPECT_EQ(ParseSize(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseSizeTest, ReadsPowersOf1024) {
  struct Row {
    const char* text;
    uint64_t bytes;
  };
  const Row rows[] = {
      {"0", 0},           {"8", 8},
      {"1k", 1024},       {"64K", 65536},
      {"1.5K", 1536},     {"64M", 67108864},
      {"2g", 2147483648}, {"1T", 1099511627776},
      {"0.5", 0},         {"9000000000000000000", 9000000000000000000U},
  };
  for (const Row& row : rows) {
    ASSERT_TRUE(ParseSize(row.text).ok()) << row.text;
    EXPECT_EQ(ParseSize(row.text)->count, row.bytes) << row.text;
  }
}

TEST(ParseDurationTest, WantsAUnitAndAnEnd) {
  for (const char* text : {"", "5", "-1s", "s", "1 s", "1x", "inf", "infinite", "1s "}) {
    EXPECT_EQ(ParseDuration(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(*ParseDuration("90s"), absl::Seconds(90));
  EXPECT_EQ(*ParseDuration("1h30m"), absl::Minutes(90));
  EXPECT_EQ(*ParseDuration("250ms"), absl::Milliseconds(250));
  EXPECT_EQ(*ParseDuration("0"), absl::ZeroDuration());
}

TEST(HumanTest, Bytes) {
  struct Row {
    uint64_t bytes;
    const char* text;
  };
  const Row rows[] = {
      {0, "0 B"},         {1023, "1023 B"},   {1024, "1 KiB"},         {1536, "1.5 KiB"},         {65536, "64 KiB"},
      {1048575, "1 MiB"}, {1048576, "1 MiB"}, {1610612736, "1.5 GiB"}, {UINT64_MAX, "16384 PiB"},
  };
  for (const Row& row : rows) EXPECT_EQ(HumanBytes(Bytes{row.bytes}), row.text);
}

TEST(HumanTest, Rates) {
  struct Row {
    double rate;
    const char* text;
  };
  const Row rows[] = {
      {0, "0.00 B/s"},     {999.4, "999 B/s"},        {999.6, "1.00 kB/s"},
      {812e6, "812 MB/s"}, {3.42e9, "3.42 GB/s"},     {34.2e9, "34.2 GB/s"},
      {1e15, "1000 TB/s"}, {std::nan(""), "unknown"}, {std::numeric_limits<double>::infinity(), "unknown"},
  };
  for (const Row& row : rows) EXPECT_EQ(HumanRate(BytesPerSecond{row.rate}), row.text);
}

TEST(HumanTest, Durations) {
  struct Row {
    absl::Duration duration;
    const char* text;
  };
  const Row rows[] = {
      {absl::ZeroDuration(), "0 s"},
      {absl::Nanoseconds(1), "1.00 ns"},
      {absl::Nanoseconds(18200), "18.2 µs"},
      {absl::Nanoseconds(999'960), "1.00 ms"},
      {absl::Microseconds(3100), "3.10 ms"},
      {absl::Microseconds(999'700), "1.00 s"},
      {absl::Milliseconds(2500), "2.50 s"},
      {absl::Milliseconds(59'940), "59.9 s"},
      {absl::Milliseconds(59'960), "1 min 0 s"},
      {absl::Seconds(185), "3 min 5 s"},
      {absl::Milliseconds(3'599'600), "1 h 0 min"},
      {absl::Minutes(124), "2 h 4 min"},
      {absl::Hours(49), "2 d 1 h"},
      {-absl::Seconds(2), "-2.00 s"},
      {absl::InfiniteDuration(), "forever"},
      {-absl::InfiniteDuration(), "-forever"},
  };
  for (const Row& row : rows) EXPECT_EQ(HumanDuration(row.duration), row.text);
}

// 1767323045 seconds after 1970 is 2026-01-02T03:04:05Z: `date -u -d @1767323045`.
TEST(Rfc3339Test, WritesAndReadsUtc) {
  const absl::Time time = absl::FromUnixMicros(1767323045000006);
  EXPECT_EQ(Rfc3339(time), "2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(*ParseRfc3339("2026-01-02T03:04:05.000006Z"), time);
  EXPECT_EQ(*ParseRfc3339("2026-01-02T03:04:05Z"), absl::FromUnixSeconds(1767323045));
  EXPECT_EQ(*ParseRfc3339("2026-01-02T05:04:05.5+02:00"), absl::FromUnixMillis(1767323045500));
  EXPECT_EQ(*ParseRfc3339("2026-01-01T19:34:05-07:30"), absl::FromUnixSeconds(1767323045));
}

TEST(Rfc3339Test, RefusesOtherShapes) {
  for (const char* text :
       {"", "infinite-future", "2026-01-02", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05", " 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05Z ", "2026-1-2T03:04:05Z", "12026-01-02T03:04:05Z", "-026-01-02T03:04:05Z",
        "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z", "2026-01-02T25:04:05Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05+2:00", "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05ZZ", "2026+01+02T03:04:05Z"}) {
    EXPECT_EQ(ParseRfc3339(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

// 1767323045 is 2026-01-02T03:04:05Z by `date -u -d @1767323045`.
TEST(UnitsTest, HumanTimeIsUtcToTheSecond) {
  EXPECT_EQ(HumanTime(absl::FromUnixSeconds(1767323045) + absl::Milliseconds(999)), "2026-01-02 03:04:05 UTC");
}

}  // namespace
}  // namespace ashlar::base
