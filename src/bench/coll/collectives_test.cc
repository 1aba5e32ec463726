// Real ranks under a real MPI: small runs, every collective, and ranks that are killed or stopped for good.
#include "bench/coll/collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "bench/coll/launch.h"
#include "bench/coll/table.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string RankProgram() {
  const std::string self = os::SelfPath().value();
  return self.substr(0, self.rfind('/')) + "/ashlar_bench_rank";
}

CollectiveRequest Request(ArgumentValues arguments) {
  arguments.try_emplace("ranks", "2");
  arguments.try_emplace("iters", "3");
  // A backstop for a machine that is very busy, not an expectation.
  arguments.try_emplace("timeout", "120");
  return {.arguments = std::move(arguments), .rank_command = {RankProgram()}};
}

class Collectives : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto program = FindLaunchProgram(ProcessEnvironment());
    if (!program.ok()) GTEST_SKIP() << base::Message(program.status());
  }
};

TEST_F(Collectives, BadArgumentsStartNothing) {
  EXPECT_EQ(RunCollectives(Request({{"collective", "all_reduce"}, {"maxbytes", "x"}})).status().code(),
            base::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunCollectives(Request({{"collective", "all_reduce"}, {"hostfile", "/nonexistent/hosts"}})).status().code(),
            base::StatusCode::kNotFound);
}

TEST_F(Collectives, ErrorsOfTheRanksComeBack) {
  const auto run = RunCollectives(Request({{"collective", "broadcast"}, {"root", "5"}, {"maxbytes", "8"}}));
  EXPECT_EQ(run.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(base::Message(run.status())), HasSubstr("no rank 5"));
}

TEST_F(Collectives, ARankProgramThatDoesNotStartIsNoResult) {
  CollectiveRequest request = Request({{"collective", "all_reduce"}, {"maxbytes", "8"}});
  request.rank_command = {"/bin/false"};
  const auto run = RunCollectives(request);
  EXPECT_EQ(run.status().code(), base::StatusCode::kAborted) << run.status();
}

TEST_F(Collectives, AllNineAreRight) {
  const auto run =
      RunCollectives(Request({{"collective", "all"}, {"minbytes", "64"}, {"maxbytes", "64K"}, {"stepfactor", "1024"}}));
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kPass) << run->fault;
  ASSERT_EQ(run->documents.size(), 9U);
  for (const base::Json& document : run->documents) {
    EXPECT_EQ(base::GetString(document, "backend").value(), "mpi");
    EXPECT_EQ(base::GetInt(document, "out_of_bounds").value(), 0);
    EXPECT_EQ(document.at("rows").as_array().size(), 2U);
    for (const base::Json& row : document.at("rows").as_array()) {
      EXPECT_GT(base::GetNumber(row.at("out_of_place"), "time_seconds").value(), 0);
      EXPECT_EQ(base::GetInt(row.at("in_place"), "wrong").value(), 0);
    }
  }
}

TEST_F(Collectives, MpiAgreesOnEveryTypeAndReduction) {
  // MPI's own arithmetic against ours, and our 16-bit operations inside MPI's algorithms.
  const auto run = RunCollectives(Request({{"collective", "all_reduce"},
                                           {"minbytes", "3K"},
                                           {"maxbytes", "3K"},
                                           {"iters", "1"},
                                           {"datatype", "all"},
                                           {"op", "all"},
                                           {"ranks", "3"}}));
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kPass) << run->fault;
  EXPECT_EQ(run->documents.front().at("rows").as_array().size(), 8U * 11 + 5 * 5 + 6 + 6 + 12);
}

TEST_F(Collectives, TheListenerSeesRowsAsTheyCome) {
  CollectiveRequest request = Request({{"collective", "all_reduce"}, {"maxbytes", "16"}});
  std::string text;
  request.listener = [&text](SessionEvent event, const base::Json& body) { text += TableText(event, body); };
  request.machine = base::JsonObject{{"digest", "x"}};
  const auto run = RunCollectives(request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(text, AllOf(HasSubstr("#  Rank  1 Group  0 Pid"), HasSubstr("# Out of bounds values : 0 OK")));
  EXPECT_EQ(run->documents.front().at("machine").at("digest"), base::Json("x"));
}

// Runs without end until the first row has come, then does `signal` to rank 1.
base::StatusOr<CollectiveRun> RunAndSignal(int signal_number) {
  CollectiveRequest request = Request(
      {{"collective", "all_reduce"}, {"minbytes", "1K"}, {"maxbytes", "1K"}, {"run_cycles", "0"}, {"stall", "4s"}});
  request.on_ranks = [signal_number](const std::vector<RankReport>& ranks) { kill(ranks.at(1).pid, signal_number); };
  return RunCollectives(request);
}

TEST_F(Collectives, AKilledRankIsNamed) {
  const auto run = RunAndSignal(SIGKILL);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  EXPECT_THAT(run->fault, AllOf(HasSubstr("died: rank 1"), HasSubstr("last completed: all_reduce 1 KiB")));
  // What was measured before is kept, and says that it is not all.
  ASSERT_EQ(run->documents.size(), 1U);
  EXPECT_FALSE(run->documents.front().at("rows").as_array().empty());
  EXPECT_THAT(base::GetString(run->documents.front(), "fault").value(), HasSubstr("rank 1"));
}

TEST_F(Collectives, AStoppedRankIsNamedAndEnded) {
  pid_t stopped = 0;
  CollectiveRequest request = Request(
      {{"collective", "all_reduce"}, {"minbytes", "1K"}, {"maxbytes", "1K"}, {"run_cycles", "0"}, {"stall", "4s"}});
  request.on_ranks = [&stopped](const std::vector<RankReport>& ranks) {
    stopped = ranks.at(1).pid;
    kill(stopped, SIGSTOP);
  };
  const auto run = RunCollectives(request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  EXPECT_THAT(run->fault, AllOf(HasSubstr("no sign of life from rank 1"), HasSubstr("1 KiB")));
  const auto command = os::SysReader().Read(fmt::format("/proc/{}/cmdline", stopped));
  EXPECT_FALSE(command.ok() && command->find("ashlar_bench_rank") != std::string::npos) << "rank 1 lives on";
}

TEST_F(Collectives, TheDeadlineEndsARunThatWouldTakeHours) {
  CollectiveRequest request =
      Request({{"collective", "all_reduce"}, {"maxbytes", "8"}, {"iters", "1000000000"}, {"timeout", "3"}});
  const auto run = RunCollectives(request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->exit_status, base::ExitStatus::kFallsShort);
  EXPECT_THAT(run->fault, HasSubstr("the deadline of 3"));
}

TEST_F(Collectives, AStopRequestEndsTheRun) {
  std::stop_source source;
  CollectiveRequest request = Request({{"collective", "all_reduce"}, {"maxbytes", "8"}, {"run_cycles", "0"}});
  request.stop = source.get_token();
  request.on_ranks = [&source](const std::vector<RankReport>&) { source.request_stop(); };
  EXPECT_EQ(RunCollectives(request).status().code(), base::StatusCode::kCancelled);
}

TEST_F(Collectives, AHostFileOfThisMachineWorks) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/hosts";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "localhost:3\n").ok());
  CollectiveRequest request = Request({{"collective", "all_gather"}, {"maxbytes", "64"}, {"hostfile", path}});
  request.arguments.erase("ranks");
  const auto run = RunCollectives(request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(base::GetInt(run->documents.front(), "ranks").value(), 3);
}

}  // namespace
}  // namespace ashlar::bench
