// Ranks that a foreign mpirun started: nobody of ours watches them but they themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "bench/coll/collectives.h"
#include "bench/coll/events.h"
#include "bench/coll/launch.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Join : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto program = FindLaunchProgram(ProcessEnvironment());
    if (!program.ok()) GTEST_SKIP() << base::Message(program.status());
    program_ = *program;
  }

  // mpirun as a person would type it, without a board of ours. `on_event` is called as events come.
  base::StatusOr<os::SubprocessResult> MpiRun(const ArgumentValues& arguments, EventReader& reader) const {
    const std::string self = os::SelfPath().value();
    const LaunchCommand launch =
        MakeLaunchCommand({.program = program_,
                           .ranks = 2,
                           .rank_command = {self.substr(0, self.rfind('/')) + "/ashlar_bench_rank", kRankOption,
                                            ArgumentsToText(arguments), kBoardOption, ""},
                           .as_root = geteuid() == 0});
    return os::RunSubprocess({.command = launch.command,
                              .environment = launch.environment,
                              .deadline = absl::Minutes(3),
                              .on_output = [&reader](std::string_view chunk) { reader.Take(chunk); }});
  }

  LaunchProgram program_;
};

TEST_F(Join, OutsideALauncherThereIsNothingToJoin) {
  EXPECT_FALSE(InsideLauncher());
  EXPECT_EQ(JoinCollectives({.arguments = {{"collective", "all_reduce"}}}).status().code(),
            base::StatusCode::kNotFound);
}

TEST_F(Join, OnlyTheFirstRankSpeaks) {
  int documents = 0;
  EventReader reader([&documents](SessionEvent event, const base::Json& body) {
    if (event != SessionEvent::kDocument) return;
    ++documents;
    EXPECT_EQ(base::GetInt(body, "ranks").value(), 2);
  });
  const auto result = MpiRun({{"collective", "all_reduce"}, {"maxbytes", "16"}, {"iters", "2"}}, reader);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_code, 0) << result->error;
  EXPECT_EQ(documents, 1);
  EXPECT_TRUE(reader.error().ok()) << reader.error();
}

TEST_F(Join, AStoppedRankIsNamedByTheOthers) {
  pid_t stopped = 0;
  EventReader reader([&stopped, pid = pid_t{0}](SessionEvent event, const base::Json& body) mutable {
    if (event == SessionEvent::kHeader)
      pid = static_cast<pid_t>(body.at("places").at(1).at("pid").to_number<int64_t>());
    if (event != SessionEvent::kRow || stopped != 0) return;
    stopped = pid;
    kill(stopped, SIGSTOP);
  });
  const auto result = MpiRun({{"collective", "all_reduce"},
                              {"maxbytes", "8"},
                              {"iters", "100"},
                              {"run_cycles", "0"},
                              {"timeout", "120"},
                              {"stall", "4s"}},
                             reader);
  // mpirun does not end a stopped process by itself when it is the last one.
  if (stopped > 0) kill(stopped, SIGKILL);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NE(result->exit_code, 0);
  EXPECT_THAT(result->error, AllOf(HasSubstr("# error: no rank gets on"), HasSubstr("no sign of life from rank 1")));
}

}  // namespace
}  // namespace ashlar::bench
