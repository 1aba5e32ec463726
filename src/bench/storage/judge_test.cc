#include "bench/storage/judge.h"

#include <gtest/gtest.h>

#include <limits>

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::Verdict;
using testing::HasSubstr;

StorageRun Run(AccessPattern pattern, IoOperation operation, double bytes_per_second) {
  StorageRun run;
  run.cell = {pattern, operation, Bytes{1'000'000}, 8};
  run.operations = static_cast<uint64_t>(bytes_per_second / 1'000'000);
  run.elapsed = absl::Seconds(1);
  return run;
}

// 1.6 GB/s sequential write, 1.0 GB/s sequential read, random reads that must not count, fsync p99 of 8 ms.
StorageResult Measured() {
  StorageResult result;
  result.path = "/scratch";
  result.target.filesystem = "ext4";
  result.direct = true;
  result.runs = {Run(AccessPattern::kSequential, IoOperation::kWrite, 1.2e9),
                 Run(AccessPattern::kSequential, IoOperation::kWrite, 1.6e9),
                 Run(AccessPattern::kSequential, IoOperation::kRead, 1.0e9),
                 Run(AccessPattern::kRandom, IoOperation::kRead, 9e9),
                 Run(AccessPattern::kRandom, IoOperation::kWrite, 9e9)};
  result.sync = SyncResult{.operations = 100, .latency = {.p99 = absl::Milliseconds(8)}};
  return result;
}

StorageDemand Demand(std::string_view text) { return *ParseStorageDemand(text); }

// 2.3 TiB each 30 min in at most 3.5 % of it: 2,528,876,743,884.8 / 63 s = 40,140,900,696 bytes/s, by hand.
TEST(RequiredWriteRateTest, IsBytesOverShareTimesInterval) {
  EXPECT_NEAR(RequiredWriteRate(Demand("checkpoint_bytes=2.3T,interval=30m,stall_share=0.035")).rate, 40'140'900'696.0,
              1.0);
}

struct JudgeCase {
  std::string name;
  std::string demand;
  std::function<void(StorageResult&)> change;
  std::vector<Verdict> verdicts;  // checkpoint, loading, fsync
  std::string reason;             // in one of the reasons
};

class JudgeTest : public testing::TestWithParam<JudgeCase> {};

TEST_P(JudgeTest, Verdicts) {
  StorageResult result = Measured();
  if (!GetParam().demand.empty()) result.demand = Demand(GetParam().demand);
  GetParam().change(result);
  const std::vector<base::Finding> findings = JudgeStorage(result);
  std::vector<Verdict> verdicts;
  std::string reasons;
  for (const base::Finding& finding : findings) {
    verdicts.push_back(finding.verdict);
    reasons += finding.reason + "\n";
    // A pass always has an expectation, its source, a value and where it was read.
    if (finding.verdict != Verdict::kPass) continue;
    EXPECT_NE(finding.expectation, "");
    EXPECT_NE(finding.expectation_source, "");
    EXPECT_NE(finding.read_from, "");
    EXPECT_TRUE(finding.value.is_number());
  }
  EXPECT_EQ(verdicts, GetParam().verdicts);
  EXPECT_THAT(reasons, HasSubstr(GetParam().reason));
}

constexpr Verdict kPass = Verdict::kPass;
constexpr Verdict kFail = Verdict::kFail;
constexpr Verdict kUnknown = Verdict::kUnknown;
constexpr Verdict kNone = Verdict::kNotApplicable;

void Nothing(StorageResult&) {}
void Buffered(StorageResult& result) {
  result.direct = false;
  result.direct_reason = "tmpfs keeps its files in memory";
}

INSTANTIATE_TEST_SUITE_P(
    Rows, JudgeTest,
    testing::Values(JudgeCase{"NoDemand", "", Nothing, {kNone, kNone, kNone}, "no demand is stated"},
                    JudgeCase{"NoDemandBuffered", "", Buffered, {kNone, kNone, kNone}, "page cache"},
                    // 1.6 GB/s exactly: 1,600,000,000 bytes each 10 s in 10 % of the time.
                    JudgeCase{"CheckpointExactly",
                              "checkpoint_bytes=1600000000,interval=10s,stall_share=0.1",
                              Nothing,
                              {kPass, kNone, kNone},
                              ""},
                    JudgeCase{"CheckpointTooSlow",
                              "checkpoint_bytes=3200000000,interval=10s,stall_share=0.1",
                              Nothing,
                              {kFail, kNone, kNone},
                              "50 % of what is needed"},
                    JudgeCase{"LoadingExactly", "loading_rate=1000000000", Nothing, {kNone, kPass, kNone}, ""},
                    JudgeCase{"LoadingTooSlow", "loading_rate=1000000001", Nothing, {kNone, kFail, kNone}, "100 % of"},
                    JudgeCase{"SyncExactly", "fsync_p99=8ms", Nothing, {kNone, kNone, kPass}, ""},
                    JudgeCase{"SyncTooSlow", "fsync_p99=7999us", Nothing, {kNone, kNone, kFail}, "8.00 ms or more"},
                    JudgeCase{"BufferedPassesNothing",
                              "checkpoint_bytes=1,interval=1h,loading_rate=1",
                              Buffered,
                              {kUnknown, kUnknown, kNone},
                              "page cache"},
                    JudgeCase{
                        "NothingSequential",
                        "checkpoint_bytes=1,interval=1h,loading_rate=1",
                        [](StorageResult& result) { result.runs.erase(result.runs.begin(), result.runs.begin() + 3); },
                        {kUnknown, kUnknown, kNone},
                        "no sequential write was measured"},
                    JudgeCase{"NoRunsAtAll",
                              "loading_rate=1",
                              [](StorageResult& result) { result.runs.clear(); },
                              {kNone, kUnknown, kNone},
                              "no sequential read"},
                    JudgeCase{"ImpossibleFigure",
                              "loading_rate=1",
                              [](StorageResult& result) {
                                result.runs = {Run(AccessPattern::kSequential, IoOperation::kRead, 1e9)};
                                result.runs[0].elapsed = absl::ZeroDuration();
                              },
                              {kNone, kUnknown, kNone},
                              "no sequential read"},
                    JudgeCase{"SyncNotMeasured",
                              "fsync_p99=8ms",
                              [](StorageResult& result) { result.sync.reset(); },
                              {kNone, kNone, kUnknown},
                              "not measured"},
                    JudgeCase{"SyncOfMemory",
                              "fsync_p99=8ms",
                              [](StorageResult& result) { result.target.kind = StorageKind::kMemory; },
                              {kNone, kNone, kUnknown},
                              "means nothing"}),
    [](const auto& row) { return row.param.name; });

TEST(JudgeStorageTest, ExpectationSaysDemandAndSource) {
  StorageResult result = Measured();
  result.demand = Demand("checkpoint_bytes=80G,interval=30m");
  const base::Finding finding = JudgeStorage(result)[0];
  EXPECT_EQ(finding.id, "storage-checkpoint-write");
  EXPECT_EQ(finding.value.as_double(), 1.6e9);
  // 80 * 2^30 / (0.035 * 1800 s) = 1.363 GB/s, by hand.
  EXPECT_EQ(finding.expectation, ">= 1.36 GB/s (80 GiB each 30 min 0 s within 3.5 % of the time)");
  EXPECT_THAT(finding.expectation_source, HasSubstr("data/bench/storage.yaml"));
  EXPECT_THAT(finding.expectation_source, HasSubstr("CheckFreq"));
  EXPECT_EQ(finding.verdict, Verdict::kPass);
}

}  // namespace
}  // namespace ashlar::bench
