#include "os/process_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

namespace ashlar::os {
namespace {

constexpr absl::Duration kFarAway = absl::Seconds(120);

pid_t Start(std::vector<std::string> command, int output = -1) {
  const auto child = Spawn({.program = "/bin/sh", .command = std::move(command), .output = output});
  EXPECT_TRUE(child.ok()) << child.status();
  return child.value_or(-1);
}

TEST(ProcessGroupTest, AnEndedLeaderStaysUntilItIsReaped) {
  const pid_t leader = Start({"sh", "-c", "exit 3"});
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(leader), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(HasEnded(leader));
  EXPECT_TRUE(HasEnded(leader)) << "looking does not reap";
  EXPECT_EQ(WEXITSTATUS(EndGroup(leader)), 3);
  EXPECT_TRUE(HasEnded(leader)) << "one that is no child of ours counts as ended";
  EXPECT_EQ(EndGroup(leader), -1) << "how it ended is not known any more";
}

TEST(ProcessGroupTest, TerminateAsksFirst) {
  const pid_t leader = Start({"sh", "-c", "exec tail -f /dev/null"});
  EXPECT_FALSE(HasEnded(leader));
  EXPECT_EQ(WTERMSIG(TerminateGroup(leader, kFarAway)), SIGTERM);
  EXPECT_EQ(::kill(leader, 0), -1);
}

TEST(ProcessGroupTest, TerminateKillsAStoppedGroup) {
  const pid_t leader = Start({"sh", "-c", "exec tail -f /dev/null"});
  SignalGroup(leader, SIGSTOP);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(leader), &info, WSTOPPED), 0);
  // A stopped process does not act on SIGTERM.
  EXPECT_EQ(WTERMSIG(TerminateGroup(leader, absl::Milliseconds(10))), SIGKILL);
}

TEST(ProcessGroupTest, ARunStopsAtItsDeadlineWithoutGrace) {
  const pid_t leader = Start({"sh", "-c", "exec tail -f /dev/null"});
  GroupRun run(leader, {.deadline = absl::Milliseconds(20), .grace = absl::ZeroDuration()});
  const GroupEnding ending = run.Run();
  EXPECT_TRUE(ending.timed_out);
  EXPECT_FALSE(ending.stuck);
  EXPECT_EQ(WTERMSIG(ending.wait_status), SIGKILL);
}

TEST(ProcessGroupTest, ARunReadsWhatWasWrittenBeforeTheEnd) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe.ok()) << pipe.status();
  ASSERT_TRUE(MakeNonBlocking(pipe->read).ok());
  const pid_t leader = Start({"sh", "-c", "printf 0123456789"}, pipe->write.number());
  pipe->write.Close();
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(leader), &info, WEXITED | WNOWAIT), 0);
  std::string chunks;
  const std::function<void(std::string_view)> on_chunk = [&](std::string_view chunk) { chunks += chunk; };
  GroupStream stream{.source = std::move(pipe->read), .limit = 4, .on_chunk = &on_chunk};
  GroupRun run(leader, {.deadline = kFarAway, .grace = kFarAway});
  run.Collect(&stream);
  const GroupEnding ending = run.Run();
  EXPECT_EQ(ending.wait_status, 0);
  EXPECT_TRUE(ending.over_limit);
  EXPECT_EQ(stream.bytes, "0123");
  EXPECT_EQ(chunks, "0123");
}

}  // namespace
}  // namespace ashlar::os
