// The program as people run it: real processes, real sockets on loopback, real signals.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/base.h"
#include "net/net.h"
#include "os/os.h"

namespace ashlar {
namespace {

constexpr int kLineDeadlineMilliseconds = 120'000;  // a loaded machine is slow; a hang ends here

os::SubprocessResult Ashlar(std::vector<std::string> words) {
  words.insert(words.begin(), ASHLAR_PROGRAM);
  os::SubprocessOptions options;
  options.command = std::move(words);
  options.deadline = absl::Seconds(120);
  auto result = os::RunSubprocess(options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(os::SubprocessResult{});
}

// `ashlar up` that stays, with its output on a pipe that the test reads line by line.
class RunningUp {
 public:
  RunningUp(const std::string& folder, const std::string& data) : pipe_path_(folder + "/output") {
    EXPECT_EQ(mkfifo(pipe_path_.c_str(), 0600), 0);
    descriptor_ = open(pipe_path_.c_str(), O_RDWR | O_CLOEXEC);
    os::SubprocessOptions options;
    options.command = {ASHLAR_PROGRAM, "up", "--port", "0", "--no-collectives", "--no-storage", "--data", data};
    auto child = os::ChildProcess::Start(options, pipe_path_);
    EXPECT_TRUE(child.ok()) << child.status();
    child_.emplace(*std::move(child));
  }
  ~RunningUp() { close(descriptor_); }

  // The first line that holds `text`; "" when none comes in time.
  std::string WaitFor(const std::string& text) {
    for (;;) {
      for (size_t end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
        const std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        if (line.find(text) != std::string::npos) return line;
      }
      pollfd ready{descriptor_, POLLIN, 0};
      if (poll(&ready, 1, kLineDeadlineMilliseconds) <= 0) return "";
      char chunk[4096];
      const ssize_t got = read(descriptor_, chunk, sizeof chunk);
      if (got <= 0) return "";
      buffer_.append(chunk, static_cast<size_t>(got));
    }
  }

  // Sends a signal and waits for the end; the wait status.
  int End(int signal) {
    child_->Signal(signal);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child_->pid()), &info, WEXITED | WNOWAIT);
    return child_->Poll().value_or(-1);
  }

 private:
  std::string pipe_path_;
  int descriptor_ = -1;
  std::string buffer_;
  std::optional<os::ChildProcess> child_;
};

class ProgramTest : public testing::Test {
 protected:
  os::TemporaryDirectory folder_ = os::TemporaryDirectory::Create().value();
  std::string data_ = folder_.path() + "/state";
};

TEST_F(ProgramTest, ServesUntilInterruptedAndRefusesASecondInstance) {
  RunningUp up(folder_.path(), data_);
  const std::string line = up.WaitFor("serving http://");
  ASSERT_NE(line, "");
  const size_t start = line.find("http://");
  const std::string url = line.substr(start, line.find(' ', start) - start);
  for (const char* path : {"", "api/scorecard", "api/entries", "api/checkpoint", "metrics", "healthz"}) {
    net::Request request;
    request.target = url + path;
    const auto answer = net::Fetch(request);
    ASSERT_TRUE(answer.ok()) << answer.status();
    EXPECT_EQ(answer->status, 200) << path;
  }

  const auto second = Ashlar({"up", "--once", "--data", data_});
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_NE(second.error.find("another `ashlar up` uses"), std::string::npos) << second.error;
  EXPECT_EQ(base::SplitLines(second.error).size(), 1U) << second.error;

  const auto port = base::SplitWords(std::string_view(url).substr(url.rfind(':') + 1))[0];
  const auto busy = Ashlar({"up", "--port", std::string(port.substr(0, port.find('/'))), "--data", data_ + "2"});
  EXPECT_EQ(busy.exit_code, 3);
  EXPECT_EQ(base::SplitLines(busy.error).size(), 1U) << busy.error;

  const int status = up.End(SIGINT);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_LE(WEXITSTATUS(status), 1);
  EXPECT_EQ(Ashlar({"ledger", "verify", "--data", data_}).exit_code, 0);
}

TEST_F(ProgramTest, TheWholeValidationMeasuresAndKeepsEverything) {
  const auto up = Ashlar({"up", "--once", "--data", data_});
  EXPECT_LE(up.exit_code, 1) << up.error;
  EXPECT_NE(up.output.find("Bus bandwidth by message size"), std::string::npos) << up.output << up.error;
  EXPECT_NE(up.output.find("Storage of "), std::string::npos);
  EXPECT_NE(up.output.find("38 considerations: "), std::string::npos);
  const auto assess = Ashlar({"assess", "--json", "--data", data_});
  const auto scorecard = base::ParseJson(assess.output);
  ASSERT_TRUE(scorecard.ok()) << scorecard.status();
  for (const base::Json& row : base::Find(*scorecard, "scorecard")->get_array()) {
    const std::string id = base::GetString(row, "id").value();
    // A first run on a machine without GPU has no baseline, so no collective can pass yet.
    if (id == "bench-nccl") {
      EXPECT_NE(base::GetString(row, "verdict").value(), "pass");
    }
  }
  const auto again = Ashlar({"check", "--data", data_});
  EXPECT_LE(again.exit_code, 1) << again.error;
  const auto kept = Ashlar({"ledger", "show", "--kind", "node.check", "--json", "--data", data_});
  EXPECT_EQ(base::SplitLines(kept.output).size(), 2U) << kept.output;
}

TEST_F(ProgramTest, FolderThatCannotBeWrittenIsOneLine) {
  const auto result = Ashlar({"up", "--once", "--data", "/proc/ashlar"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(base::SplitLines(result.error).size(), 1U) << result.error;
}

}  // namespace
}  // namespace ashlar
