#include "bench/coll/progress_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "bench/coll/limits.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProgressBoard, RefusesWhatIsNoBoard) {
  EXPECT_EQ(ProgressBoard::Create(0).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(ProgressBoard::Create(static_cast<int>(kMaxRanks) + 1).status().code(), base::StatusCode::kInvalidArgument);
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/board";
  EXPECT_EQ(ProgressBoard::Open(path).status().code(), base::StatusCode::kNotFound);
  for (const std::string& bytes : {std::string(), std::string("short"), std::string(5000, 'x')}) {
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, bytes).ok());
    EXPECT_EQ(ProgressBoard::Open(path).status().code(), base::StatusCode::kFailedPrecondition) << bytes.size();
  }
}

TEST(ProgressBoard, WhatOneWritesAnotherReads) {
  auto board = ProgressBoard::Create(3);
  ASSERT_TRUE(board.ok()) << board.status();
  auto other = ProgressBoard::Open((*board)->path());
  ASSERT_TRUE(other.ok()) << other.status();
  (*other)->Arrive(1, 4711);
  (*other)->BeginStep(1, "first");
  (*other)->BeginStep(1, std::string(500, 'y'));
  (*other)->Beat(1);
  (*other)->Leave(1, RankState::kFailed, "no memory");
  // A rank that is not on the board changes nothing.
  (*other)->Arrive(3, 1);
  (*other)->BeginStep(-1, "x");
  EXPECT_EQ((*other)->StateOf(3), nullptr);
  const std::vector<RankReport> reports = (*board)->Read();
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].state, RankState::kAbsent);
  EXPECT_EQ(reports[1].state, RankState::kFailed);
  EXPECT_EQ(reports[1].pid, 4711);
  EXPECT_EQ(reports[1].steps, 2U);
  EXPECT_EQ(reports[1].heartbeats, 1U);
  EXPECT_EQ(reports[1].last_step, "first");
  EXPECT_EQ(reports[1].step, std::string(127, 'y'));  // cut at the room of a line
  EXPECT_EQ(reports[1].error, "no memory");
}

TEST(ProgressBoard, IsRemovedByItsOwner) {
  std::string path;
  {
    auto board = ProgressBoard::Create(1);
    ASSERT_TRUE(board.ok());
    path = (*board)->path();
    { const auto other = ProgressBoard::Open(path); }
    EXPECT_TRUE(os::RealFileSystem().Stat(path).ok());
  }
  EXPECT_FALSE(os::RealFileSystem().Stat(path).ok());
}

TEST(ProgressBoard, AWriterAndAReaderNeedNoLock) {
  auto board = ProgressBoard::Create(1);
  ASSERT_TRUE(board.ok());
  (*board)->Arrive(0, 1);
  {
    const std::jthread writer([&board] {
      for (int i = 0; i < 2000; ++i) (*board)->BeginStep(0, fmt::format("step {}", i));
    });
    for (int i = 0; i < 200; ++i) EXPECT_THAT((*board)->Read()[0].step, Not(HasSubstr("\n")));
  }
  EXPECT_EQ((*board)->Read()[0].steps, 2000U);
}

std::vector<RankReport> Reports(std::vector<std::pair<uint64_t, uint64_t>> beats_and_steps) {
  std::vector<RankReport> reports;
  for (const auto& [beats, steps] : beats_and_steps) {
    RankReport report;
    report.rank = static_cast<int>(reports.size());
    report.state = RankState::kRunning;
    report.pid = 100 + report.rank;
    report.heartbeats = beats;
    report.steps = steps;
    report.step = fmt::format("step {}", steps);
    reports.push_back(report);
  }
  return reports;
}

TEST(StallWatch, IsQuietWhileStepsAreFinished) {
  StallWatch watch(absl::Seconds(10), absl::Seconds(2));
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_FALSE(watch.Stalled(Reports({{i, i / 5}, {i, i / 5}}), absl::Seconds(static_cast<int64_t>(i)))) << i;
  }
}

TEST(StallWatch, NamesTheRankWithoutASignOfLife) {
  StallWatch watch(absl::Seconds(10), absl::Seconds(2));
  EXPECT_FALSE(watch.Stalled(Reports({{1, 7}, {1, 7}}), absl::Seconds(0)));
  // Rank 1 is stopped: its heart stands still, rank 0 waits for it in the same step.
  bool stalled = false;
  uint64_t beat = 2;
  absl::Duration now = absl::Seconds(1);
  for (; !stalled && beat < 30; ++beat, now += absl::Seconds(1))
    stalled = watch.Stalled(Reports({{beat, 7}, {1, 7}}), now);
  EXPECT_TRUE(stalled);
  EXPECT_EQ(now, absl::Seconds(11));  // it was seen at 10 s, the limit itself
  const std::string blame = watch.Blame(Reports({{beat, 7}, {1, 7}}), now);
  EXPECT_THAT(blame, HasSubstr("no sign of life from rank 1 (process 101)"));
  EXPECT_THAT(blame, Not(HasSubstr("rank 0")));
  EXPECT_EQ(watch.FirstAlive(Reports({{beat, 7}, {1, 7}}), now - absl::Seconds(1)), 0);
}

TEST(StallWatch, NamesTheRankThatLiesBehind) {
  StallWatch watch(absl::Seconds(10), absl::Seconds(20));
  EXPECT_FALSE(watch.Stalled(Reports({{1, 7}, {1, 6}, {1, 7}}), absl::Seconds(0)));
  EXPECT_TRUE(watch.Stalled(Reports({{2, 7}, {2, 6}, {2, 7}}), absl::Seconds(10)));
  EXPECT_THAT(watch.Blame(Reports({{2, 7}, {2, 6}, {2, 7}}), absl::Seconds(10)),
              HasSubstr("behind the others: rank 1 (process 101) in step \"step 6\""));
}

TEST(StallWatch, SaysWhenNobodyIsToBlame) {
  StallWatch watch(absl::Seconds(10), absl::Seconds(20));
  auto reports = Reports({{1, 7}, {1, 7}});
  EXPECT_FALSE(watch.Stalled(reports, absl::Seconds(0)));
  EXPECT_TRUE(watch.Stalled(reports, absl::Seconds(10)));
  EXPECT_THAT(watch.Blame(reports, absl::Seconds(10)), HasSubstr("every rank waits for the others"));
  reports[1].state = RankState::kAbsent;
  EXPECT_THAT(watch.Blame(reports, absl::Seconds(10)), HasSubstr("never started: rank 1"));
  reports[0].state = RankState::kAbsent;
  EXPECT_THAT(watch.Blame(reports, absl::Seconds(10)), HasSubstr("no rank has started"));
}

TEST(ProgressBoard, BlamesTheKilledBeforeTheirWitnesses) {
  auto reports = Reports({{1, 7}, {1, 7}, {1, 7}});
  reports[0].state = RankState::kTerminated;
  reports[2].state = RankState::kFailed;
  reports[2].error = "connection lost";
  EXPECT_THAT(BlameTheDead(reports), HasSubstr("rank 1"));
  EXPECT_THAT(BlameTheDead(reports), Not(HasSubstr("rank 2")));
  reports[1].state = RankState::kDone;
  EXPECT_THAT(BlameTheDead(reports), HasSubstr("rank 2 (process 102)"));
  EXPECT_THAT(BlameTheDead(reports), HasSubstr("connection lost"));
  reports[2].state = RankState::kDone;
  EXPECT_EQ(BlameTheDead(reports), "");
}

}  // namespace
}  // namespace ashlar::bench
