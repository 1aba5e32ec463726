#include "bench/storage/result.h"

#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

StorageResult Example() {
  StorageResult result;
  result.run = "20260102T030405-0000000000000000";
  result.path = "/scratch";
  result.target = {.filesystem = "ext4", .device = "vda", .mount_point = "/", .direct_in_name_only = ""};
  result.direct = true;
  result.engine = "io_uring";
  result.size = base::Bytes{base::kGiB};
  result.started = absl::FromUnixSeconds(1'767'323'045);  // 2026-01-02T03:04:05Z
  result.wall = absl::Milliseconds(9800);
  StorageRun run;
  run.cell = {AccessPattern::kSequential, IoOperation::kRead, base::Bytes{base::kMiB}, 8};
  run.operations = 1000;
  run.elapsed = absl::Seconds(2);
  run.latency = {absl::Milliseconds(1), absl::Milliseconds(2), absl::Milliseconds(3),
                 absl::Milliseconds(4), absl::Milliseconds(5), absl::Microseconds(1500)};
  result.runs.push_back(run);
  result.sync = SyncResult{.operations = 500, .latency = run.latency};
  result.metadata = MetadataResult{.files = 10, .create_per_second = 1, .stat_per_second = 2, .remove_per_second = 3};
  return result;
}

// The members that docs/architecture.md states, each with the value put in above.
TEST(StorageResultTest, JsonIsWhatTheArchitectureStates) {
  const base::Json json = StorageResultToJson(Example());
  EXPECT_EQ(*base::GetString(json, "schema"), "ashlar.bench.storage/1");
  EXPECT_EQ(*base::GetString(json, "run"), "20260102T030405-0000000000000000");
  EXPECT_EQ(*base::GetString(json, "path"), "/scratch");
  EXPECT_EQ(*base::GetString(json, "filesystem"), "ext4");
  EXPECT_EQ(*base::GetString(json, "device"), "vda");
  EXPECT_EQ(*base::GetBool(json, "direct"), true);
  EXPECT_EQ(*base::GetString(json, "direct_reason"), "");
  EXPECT_EQ(*base::GetString(json, "engine"), "io_uring");
  EXPECT_EQ(*base::GetString(json, "started"), "2026-01-02T03:04:05.000000Z");
  EXPECT_EQ(*base::GetNumber(json, "wall_seconds"), 9.8);
  ASSERT_EQ(json.at("runs").as_array().size(), 1U);
  const base::Json& run = json.at("runs").at(0);
  EXPECT_EQ(*base::GetString(run, "name"), "sequential read 1 MiB depth 8");
  EXPECT_EQ(*base::GetString(run, "pattern"), "sequential");
  EXPECT_EQ(*base::GetString(run, "operation"), "read");
  EXPECT_EQ(*base::GetInt(run, "block_bytes"), 1'048'576);
  EXPECT_EQ(*base::GetInt(run, "depth"), 8);
  EXPECT_EQ(*base::GetInt(run, "bytes"), 1'048'576'000);
  EXPECT_EQ(*base::GetNumber(run, "seconds"), 2);
  EXPECT_EQ(*base::GetNumber(run, "bandwidth_bytes_per_second"), 524'288'000);
  EXPECT_EQ(*base::GetNumber(run, "operations_per_second"), 500);
  const std::vector<std::pair<std::string, double>> latencies = {{"p50", 0.001},  {"p95", 0.002}, {"p99", 0.003},
                                                                 {"p999", 0.004}, {"max", 0.005}, {"mean", 0.0015}};
  for (const auto& [key, seconds] : latencies) {
    EXPECT_DOUBLE_EQ(*base::GetNumber(run.at("latency_seconds"), key), seconds) << key;
    EXPECT_DOUBLE_EQ(*base::GetNumber(*base::FindPath(json, "fsync.latency_seconds"), key), seconds) << key;
  }
  EXPECT_EQ(*base::GetInt(json.at("fsync"), "operations"), 500);
  EXPECT_EQ(*base::GetNumber(json.at("metadata"), "create_per_second"), 1);
  EXPECT_EQ(*base::GetNumber(json.at("metadata"), "stat_per_second"), 2);
  EXPECT_EQ(*base::GetNumber(json.at("metadata"), "remove_per_second"), 3);
  EXPECT_TRUE(json.at("demand").is_null());
  EXPECT_TRUE(json.at("findings").as_array().empty());
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

TEST(StorageResultTest, WhatIsMissingIsNullNotZero) {
  StorageResult result = Example();
  result.sync.reset();
  result.metadata.reset();
  result.runs[0].elapsed = absl::ZeroDuration();
  const base::Json json = StorageResultToJson(result);
  EXPECT_TRUE(json.at("fsync").is_null());
  EXPECT_TRUE(json.at("metadata").is_null());
  EXPECT_TRUE(json.at("runs").at(0).at("bandwidth_bytes_per_second").is_null());
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

TEST(StorageResultTest, TheDemandIsKept) {
  StorageResult result = Example();
  result.demand =
      *ParseStorageDemand("checkpoint_bytes=1G,interval=30m,loading_rate=1K,fsync_p99=10ms,stall_share=0.5");
  const base::Json demand = StorageResultToJson(result).at("demand");
  EXPECT_EQ(*base::GetInt(demand, "checkpoint_bytes"), 1'073'741'824);
  EXPECT_EQ(*base::GetNumber(demand, "interval_seconds"), 1800);
  EXPECT_EQ(*base::GetNumber(demand, "stall_share"), 0.5);
  EXPECT_EQ(*base::GetNumber(demand, "loading_rate_bytes_per_second"), 1024);
  EXPECT_EQ(*base::GetNumber(demand, "fsync_p99_seconds"), 0.01);
}

TEST(StorageResultTest, PeopleSeeThatFiguresAreBuffered) {
  StorageResult result = Example();
  result.direct = false;
  result.direct_reason = "the file system refuses O_DIRECT";
  result.engine_reason = "io_uring is refused (EPERM)";
  result.notes = {"something was cut short"};
  const std::string text = FormatStorageResult(result);
  for (const char* piece : {"BUFFERED", "the file system refuses O_DIRECT", "io_uring is refused", "cut short",
                            "sequential read 1 MiB depth 8", "524 MB/s", "fsync of 4 KiB: p50 1.00 ms", "create 1/s"}) {
    EXPECT_THAT(text, HasSubstr(piece));
  }
}

TEST(SummariseLatencyTest, TakesTheQuantilesOfTheHistogram) {
  stats::LatencyHistogram histogram;
  for (int64_t value = 1; value <= 100; ++value) histogram.Record(value);
  const LatencySummary summary = SummariseLatency(histogram);
  EXPECT_EQ(summary.p50, absl::Nanoseconds(50));
  EXPECT_EQ(summary.p95, absl::Nanoseconds(95));
  EXPECT_EQ(summary.p99, absl::Nanoseconds(99));
  EXPECT_EQ(summary.p999, absl::Nanoseconds(100));  // nearest rank: ceil(99.9) = 100th
  EXPECT_EQ(summary.max, absl::Nanoseconds(100));
}

}  // namespace
}  // namespace ashlar::bench
