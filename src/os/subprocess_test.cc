#include "os/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "os/filesystem.h"
#include "os/sys_reader.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Long enough that no busy machine reaches it: a test that does has found a hang.
constexpr absl::Duration kFarAway = absl::Seconds(120);

SubprocessOptions Shell(const std::string& script) {
  return {.command = {"/bin/sh", "-c", script}, .deadline = kFarAway};
}

size_t OpenDescriptors() { return SysReader().List("/proc/self/fd")->size(); }

// Returns when the process, which is no child of this one, has ended: it was killed, but the kernel takes its time.
void AwaitEnd(pid_t process) {
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (watch < 0) return;  // gone already
  pollfd entry{watch, POLLIN, 0};
  EXPECT_EQ(::poll(&entry, 1, static_cast<int>(absl::ToInt64Milliseconds(kFarAway))), 1) << process << " goes on";
  ::close(watch);
}

// After every test: no descriptor is left open and no child is left, dead or alive.
class SubprocessTest : public ::testing::Test {
 protected:
  void SetUp() override { descriptors_ = OpenDescriptors(); }
  void TearDown() override {
    EXPECT_EQ(OpenDescriptors(), descriptors_);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  size_t descriptors_ = 0;
};

TEST_F(SubprocessTest, SaysWhyAProgramCannotBeStarted) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), folder->path() + "/plain", "#!/bin/sh\n").ok());
  const std::string plain = folder->path() + "/plain";
  struct Row {
    std::string name;
    SubprocessOptions options;
    StatusCode code;
    std::string message;
  };
  const Row rows[] = {
      {"no command", {.command = {}}, StatusCode::kInvalidArgument, "empty"},
      {"empty name", {.command = {""}}, StatusCode::kInvalidArgument, "empty"},
      {"zero byte", {.command = {"/bin/echo", std::string("a\0b", 3)}}, StatusCode::kInvalidArgument, "zero byte"},
      {"not in PATH", {.command = {"ashlar-no-such-program"}}, StatusCode::kNotFound, "not in PATH"},
      {"no such path", {.command = {"/no/such/program"}}, StatusCode::kNotFound, "/no/such/program"},
      {"not executable", {.command = {plain}}, StatusCode::kPermissionDenied, plain},
      {"a directory", {.command = {folder->path()}}, StatusCode::kPermissionDenied, folder->path()},
      {"no such folder", {.command = {"/bin/true"}, .directory = "/no/folder"}, StatusCode::kNotFound, "/no/folder"},
      {"folder is a file", {.command = {"/bin/true"}, .directory = plain}, StatusCode::kInvalidArgument, plain},
  };
  for (const Row& row : rows) {
    const auto result = RunSubprocess(row.options);
    EXPECT_EQ(result.status().code(), row.code) << row.name << ": " << result.status();
    EXPECT_THAT(base::Message(result.status()), HasSubstr(row.message)) << row.name;
    EXPECT_EQ(ChildProcess::Start(row.options, "").status().code(), row.code) << row.name;
  }
}

TEST_F(SubprocessTest, TellsHowTheChildEnded) {
  struct Row {
    std::string script;
    int exit_code;
    int signal;
  };
  const Row rows[] = {
      {"exit 0", 0, 0}, {"exit 3", 3, 0}, {"kill -KILL $$", -1, SIGKILL}, {"kill -SEGV $$", -1, SIGSEGV}};
  for (const Row& row : rows) {
    const auto result = RunSubprocess(Shell(row.script));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->exit_code, row.exit_code) << row.script;
    EXPECT_EQ(result->signal, row.signal) << row.script;
    EXPECT_FALSE(result->timed_out);
    EXPECT_GT(result->wall, absl::ZeroDuration());
  }
}

TEST_F(SubprocessTest, KeepsOutputAndErrorApart) {
  std::string seen_output;
  std::string seen_error;
  SubprocessOptions options = Shell("echo out; echo err >&2; printf tail");
  options.on_output = [&](std::string_view chunk) { seen_output += chunk; };
  options.on_error = [&](std::string_view chunk) { seen_error += chunk; };
  const auto result = RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "out\ntail");
  EXPECT_EQ(result->error, "err\n");
  EXPECT_EQ(seen_output, result->output);
  EXPECT_EQ(seen_error, result->error);
}

TEST_F(SubprocessTest, FeedsMoreThanAPipeHolds) {
  std::string input;
  for (int i = 0; i < 200'000; ++i) input += std::to_string(i) + "\n";  // about 1.3 MB; a pipe holds 64 KiB
  const auto result = RunSubprocess({.command = {"cat"}, .input = input, .deadline = kFarAway});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_TRUE(result->output == input);
}

TEST_F(SubprocessTest, AChildThatWantsNoInputDoesNotKillUs) {
  struct sigaction before {};
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &standard, &before);
  SubprocessOptions options = Shell("exec 0<&-; echo closed; cat /dev/null");
  options.input = std::string(4 << 20, 'x');
  const auto result = RunSubprocess(options);
  ::sigaction(SIGPIPE, &before, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "closed\n");
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST_F(SubprocessTest, SetsEnvironmentAndDirectory) {
  ::setenv("ASHLAR_TEST_KEPT", "kept", 1);
  ::setenv("ASHLAR_TEST_CHANGED", "old", 1);
  SubprocessOptions options = Shell("echo $ASHLAR_TEST_KEPT $ASHLAR_TEST_CHANGED $ASHLAR_TEST_NEW; pwd");
  options.environment = {{"ASHLAR_TEST_CHANGED", "changed"}, {"ASHLAR_TEST_NEW", "a=b"}};
  options.directory = "/usr/bin/..";
  const auto result = RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "kept changed a=b\n/usr\n");
}

TEST_F(SubprocessTest, AChildHasThreeDescriptorsDefaultSignalsAndItsOwnGroup) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  const int leak = ::dup(1);  // without close-on-exec
  // ls opens the folder itself as descriptor 3. The fifth field of stat is the process group, the first the process.
  const auto result = RunSubprocess(
      Shell("grep -E 'Sig(Ign|Blk)' /proc/self/status; cut -d' ' -f1,5 /proc/$$/stat; echo $$; exec ls /proc/self/fd"));
  ::close(leak);
  ::sigaction(SIGPIPE, &before, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  const auto lines = base::SplitLines(result->output);
  ASSERT_EQ(lines.size(), 8U) << result->output;
  // The lowest 31 bits: the next two signals belong to the C library, which leaves them as they were.
  for (const std::string_view line : {lines[0], lines[1]}) {
    const auto mask = base::ParseHex(line.substr(line.find('\t') + 1));
    ASSERT_TRUE(mask.has_value()) << line;
    EXPECT_EQ(*mask & 0x7FFFFFFFU, 0U) << line;
  }
  EXPECT_EQ(lines[2], fmt::format("{0} {0}", lines[3]));
  EXPECT_THAT(result->output, ::testing::EndsWith("\n0\n1\n2\n3\n"));
}

TEST_F(SubprocessTest, EndsTheChildAtTheDeadlineAndKeepsItsOutput) {
  const auto result = RunSubprocess({.command = {"tail", "-f", "/dev/null"}, .deadline = absl::Milliseconds(50)});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->signal, SIGTERM);
  EXPECT_EQ(result->exit_code, -1);
}

TEST_F(SubprocessTest, AStopEndsTheChild) {
  std::stop_source stop;
  SubprocessOptions options = Shell("echo ready; exec tail -f /dev/null");
  options.stop = stop.get_token();
  options.on_output = [&](std::string_view) { stop.request_stop(); };
  EXPECT_EQ(RunSubprocess(options).status().code(), StatusCode::kCancelled);
  // Stopped before: nothing is started.
  EXPECT_EQ(RunSubprocess(options).status().code(), StatusCode::kCancelled);
}

TEST_F(SubprocessTest, AChildThatIgnoresTheRequestIsKilledAfterTheGrace) {
  std::stop_source stop;
  std::string process;
  SubprocessOptions options = Shell("trap '' TERM; echo $$; tail -f /dev/null");
  options.stop = stop.get_token();
  options.grace = absl::Milliseconds(30);
  options.on_output = [&](std::string_view chunk) {
    process += chunk;
    stop.request_stop();
  };
  EXPECT_EQ(RunSubprocess(options).status().code(), StatusCode::kCancelled);
  const auto number = base::ParseInt64(base::Trim(process));
  ASSERT_TRUE(number.has_value()) << process;
  EXPECT_EQ(::kill(static_cast<pid_t>(*number), 0), -1) << "the child is still there";
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(SubprocessTest, AChildMayEndInOrderWithinTheGrace) {
  std::stop_source stop;
  std::string output;
  SubprocessOptions options = Shell("trap 'echo orderly; exit 7' TERM; echo ready; tail -f /dev/null & wait");
  options.stop = stop.get_token();
  options.grace = kFarAway;
  options.on_output = [&](std::string_view chunk) {
    output += chunk;
    stop.request_stop();
  };
  EXPECT_EQ(RunSubprocess(options).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(output, "ready\norderly\n");
}

TEST_F(SubprocessTest, AGrandchildInTheGroupEndsWithIt) {
  const auto result = RunSubprocess(Shell("tail -f /dev/null & echo $!"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->timed_out);
  EXPECT_EQ(result->exit_code, 0);
  const auto grandchild = base::ParseInt64(base::Trim(result->output));
  ASSERT_TRUE(grandchild.has_value());
  AwaitEnd(static_cast<pid_t>(*grandchild));
}

TEST_F(SubprocessTest, AGrandchildThatLeftTheGroupDoesNotKeepUsWaiting) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  SubprocessOptions options =
      Shell("mkfifo fifo; setsid sh -c 'echo $$ > fifo; exec tail -f /dev/null' & read stray < fifo; echo $stray");
  options.directory = folder->path();
  const auto result = RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->timed_out);
  const auto stray = base::ParseInt64(base::Trim(result->output));
  ASSERT_TRUE(stray.has_value()) << result->output << result->error;
  EXPECT_EQ(::kill(static_cast<pid_t>(*stray), SIGKILL), 0) << "it held the pipe all the time";
}

TEST_F(SubprocessTest, EndsAChildThatWritesOverTheLimit) {
  for (const bool to_error : {false, true}) {
    SubprocessOptions options = Shell(fmt::format("head -c 1000 /dev/zero {}", to_error ? ">&2" : ""));
    options.output_limit = base::Bytes{1000};
    const auto at = RunSubprocess(options);
    ASSERT_TRUE(at.ok()) << at.status();
    EXPECT_EQ((to_error ? at->error : at->output).size(), 1000U);
    options.output_limit = base::Bytes{999};
    EXPECT_EQ(RunSubprocess(options).status().code(), StatusCode::kResourceExhausted);
  }
  SubprocessOptions endless = {.command = {"yes"}, .deadline = kFarAway, .output_limit = base::Bytes{100'000}};
  size_t most = 0;
  endless.on_output = [&](std::string_view chunk) { most += chunk.size(); };
  EXPECT_EQ(RunSubprocess(endless).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(most, 100'000U);
}

TEST_F(SubprocessTest, ADeadlineOfForeverIsAllowed) {
  const auto result = RunSubprocess({.command = {"true"}, .deadline = absl::InfiniteDuration()});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_code, 0);
}

TEST_F(SubprocessTest, FindsPrograms) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), folder->path() + "/ashlar-plain", "").ok());
  const std::string path = std::getenv("PATH");
  EXPECT_THAT(*FindProgram("sh"), StartsWith("/"));
  EXPECT_EQ(FindProgram("").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(FindProgram("bin/sh").status().code(), StatusCode::kInvalidArgument);
  ::setenv("PATH", folder->path().c_str(), 1);
  EXPECT_EQ(FindProgram("ashlar-plain").status().code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(FindProgram("sh").status().code(), StatusCode::kNotFound);
  // Entries that depend on where this process stands are passed over.
  ASSERT_EQ(::chmod((folder->path() + "/ashlar-plain").c_str(), 0755), 0);
  ::setenv("PATH", ":.:bin", 1);
  EXPECT_EQ(FindProgram("ashlar-plain").status().code(), StatusCode::kNotFound);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(*SelfPath(), ::testing::EndsWith("ashlar_os_test"));
}

TEST_F(SubprocessTest, AChildProcessIsWatchedAndEnded) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  ASSERT_EQ(::mkfifo((folder->path() + "/go").c_str(), 0600), 0);
  SubprocessOptions options = {.command = {"/bin/sh", "-c", "echo started; echo oops >&2; read word < go; exit 5"},
                               .directory = folder->path()};
  const std::string log = folder->path() + "/log";
  auto child = ChildProcess::Start(options, log);
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_EQ(child->Poll(), std::nullopt);
  {
    // Opening waits for the reader: the child has written its lines by then.
    auto go = RealFileSystem().Open(folder->path() + "/go", OpenMode::kAppend);
    ASSERT_TRUE(go.ok());
    ASSERT_TRUE((*go)->Append("word\n").ok());
    while (!child->Poll()) ::waitid(P_PID, static_cast<id_t>(child->pid()), nullptr, WEXITED | WNOWAIT);
  }
  EXPECT_EQ(WEXITSTATUS(*child->Poll()), 5);
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), log, base::Bytes{base::kMiB}), "started\noops\n");
  child->Signal(SIGKILL);  // no effect on one that has ended
  EXPECT_EQ(WEXITSTATUS(*child->Poll()), 5);
}

TEST_F(SubprocessTest, AChildProcessDoesNotOutliveItsOwner) {
  pid_t process = -1;
  {
    auto child = ChildProcess::Start({.command = {"tail", "-f", "/dev/null"}}, "");
    ASSERT_TRUE(child.ok()) << child.status();
    ChildProcess moved = *std::move(child);
    process = moved.pid();
    EXPECT_EQ(::kill(process, 0), 0);
  }
  EXPECT_EQ(::kill(process, 0), -1);
  auto child = ChildProcess::Start({.command = {"tail", "-f", "/dev/null"}}, "");
  ASSERT_TRUE(child.ok()) << child.status();
  child->Terminate(kFarAway);
  EXPECT_EQ(WTERMSIG(*child->Poll()), SIGTERM);
  auto other = ChildProcess::Start({.command = {"tail", "-f", "/dev/null"}}, "");
  ASSERT_TRUE(other.ok()) << other.status();
  process = other->pid();
  *other = *std::move(child);
  EXPECT_EQ(::kill(process, 0), -1) << "assigning over a child ends it";
  EXPECT_EQ(ChildProcess::Start({.command = {"true"}}, "/no/such/folder/log").status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::os
