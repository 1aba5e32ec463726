#include "cli/check_slurm.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "cli/check.h"
#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::ExitStatus;
using base::StatusCode;
using testing::HasSubstr;

struct Ran {
  base::StatusOr<ExitStatus> status = ExitStatus::kUsage;
  std::string output;
  std::string error;
};

// The command against a scontrol that keeps the state of n1 in a file. tests/slurm_test.cc has the real one.
class CheckSlurmTest : public testing::Test {
 protected:
  CheckSlurmTest() {
    setenv("PATH", (folder_.path() + ":" + path_).c_str(), 1);
    unsetenv("SLURMD_NODENAME");
    Write("scontrol",
          "#!/bin/sh\n"
          "cd " +
              folder_.path() +
              "\n"
              "echo \"$@\" >>calls\n"
              "case \"$*\" in\n"
              "*'show node'*) cat node ;;\n"
              "*State=DRAIN*) echo \"NodeName=n1 State=IDLE+DRAIN ${4} [root@2026-12-01T03:07:33]\" >node ;;\n"
              "*State=RESUME*) echo 'NodeName=n1 State=IDLE' >node ;;\n"
              "esac\n");
    chmod((folder_.path() + "/scontrol").c_str(), 0755);
    Write("failing.yaml", "node: {mounts: [/no/such/mount]}\n");
    Write("passing.yaml", "node: {}\n");
    Write("node", "NodeName=n1 State=IDLE\n");
    for (const auto& row : node::CheckTable()) {
      if (row.id != "required-mounts" && row.id != "filesystem-writable") skip_ += fmt::format(",{}", row.id);
    }
    skip_.erase(0, 1);
  }
  ~CheckSlurmTest() override { setenv("PATH", path_.c_str(), 1); }

  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder_.path() + "/" + name, text).ok());
  }
  std::string Contents(const std::string& name) {
    return os::ReadWholeFile(os::RealFileSystem(), folder_.path() + "/" + name, {base::kMiB}).value_or("");
  }

  // Two checks alone, one of which the configuration decides.
  Ran RunCheck(const std::string& config, const std::string& arguments) {
    const auto command = MakeCheckCommand();
    CLI::App app;
    command->Describe(app);
    app.parse(fmt::format("--slurm --config {0}/{1}.yaml --data {0}/state {2}", folder_.path(), config, arguments));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    ran.status = command->Run();
    ran.output = testing::internal::GetCapturedStdout();
    ran.error = testing::internal::GetCapturedStderr();
    return ran;
  }
  Ran RunAll(const std::string& config, const std::string& arguments = "") {
    return RunCheck(config, "--node n1 --skip " + skip_ + " " + arguments);
  }

  std::vector<std::string> Kept() {
    std::vector<std::string> kinds;
    auto ledger =
        ledger::Ledger::Open({.url = folder_.path() + "/state/ledger.db", .read_only = true}, base::SystemClock());
    if (!ledger.ok()) return kinds;
    const auto entries = (*ledger)->Read({});
    for (const auto& entry : *entries) kinds.push_back(entry.kind);
    return kinds;
  }

  const std::string path_ = std::getenv("PATH");
  os::TemporaryDirectory folder_ = os::TemporaryDirectory::Create().value();
  std::string skip_;
};

TEST_F(CheckSlurmTest, DrainsOnAFailureAndResumesOnAPass) {
  const Ran failed = RunAll("failing");
  ASSERT_TRUE(failed.status.ok()) << failed.status.status();
  EXPECT_EQ(*failed.status, ExitStatus::kFallsShort);
  EXPECT_THAT(failed.output, HasSubstr("slurm: drained n1 (\"ashlar: required-mounts: not mounted: /no/such/mount"));
  EXPECT_THAT(Contents("node"), HasSubstr("State=IDLE+DRAIN Reason=ashlar: required-mounts: not mounted"));
  EXPECT_THAT(Kept(), testing::ElementsAre("cluster.decision", "cluster.action"));

  const Ran passed = RunAll("passing");
  ASSERT_TRUE(passed.status.ok()) << passed.status.status();
  EXPECT_EQ(*passed.status, ExitStatus::kPass);
  EXPECT_THAT(passed.output, HasSubstr("slurm: resumed n1: its checks pass"));
  EXPECT_THAT(Contents("node"), HasSubstr("State=IDLE\n"));
  EXPECT_EQ(Kept().size(), 4U);
}

TEST_F(CheckSlurmTest, TheNodesNameComesFromSlurmd) {
  setenv("SLURMD_NODENAME", "n1", 1);
  EXPECT_EQ(*RunCheck("failing", "--only required-mounts --no-record").status, ExitStatus::kFallsShort);
  EXPECT_THAT(Contents("node"), HasSubstr("IDLE+DRAIN"));
  EXPECT_TRUE(Kept().empty());
  // A part of the checks drains, and resumes nothing.
  const Ran part = RunCheck("passing", "--only required-mounts");
  EXPECT_EQ(*part.status, ExitStatus::kPass);
  EXPECT_THAT(part.output, HasSubstr("only a part of the checks"));
  EXPECT_THAT(Contents("node"), HasSubstr("IDLE+DRAIN"));
}

TEST_F(CheckSlurmTest, ADryRunChangesNothingAndKeepsNoDecision) {
  const Ran ran = RunAll("failing", "--dry-run");
  EXPECT_EQ(*ran.status, ExitStatus::kFallsShort);
  EXPECT_THAT(ran.output, HasSubstr("slurm: would drain n1 (\"ashlar: required-mounts"));
  EXPECT_EQ(Contents("node"), "NodeName=n1 State=IDLE\n");
  EXPECT_THAT(Contents("calls"), testing::Not(HasSubstr("update")));
  EXPECT_TRUE(Kept().empty());
}

TEST_F(CheckSlurmTest, JsonIsOneDocumentWithTheOutcome) {
  const Ran ran = RunAll("failing", "--json");
  const auto json = base::ParseJson(ran.output);
  ASSERT_TRUE(json.ok()) << ran.output;
  EXPECT_EQ(*base::GetString(*json, "verdict"), "fail");
  EXPECT_EQ(base::FindPath(*json, "slurm.action")->get_string(), "drain");
  EXPECT_EQ(base::FindPath(*json, "slurm.after.state")->get_string(), "IDLE+DRAIN");
  EXPECT_FALSE(base::FindPath(*json, "slurm.dry_run")->get_bool());
}

TEST_F(CheckSlurmTest, WhatSomebodyShouldSeeIsSaidOnStandardError) {
  Write("node", "NodeName=n1 State=IDLE Reason=bob: fan [bob@2026-12-01T03:07:33]\n");
  const Ran ran = RunAll("failing");
  EXPECT_EQ(*ran.status, ExitStatus::kFallsShort);
  EXPECT_THAT(ran.error, HasSubstr("another's note (by bob: \"bob: fan\")"));
  EXPECT_THAT(Contents("calls"), testing::Not(HasSubstr("update")));
}

struct TroubleCase {
  std::string node;
  std::string says;
};

TEST_F(CheckSlurmTest, AControllerThatCannotBeUnderstoodEndsWith3) {
  const std::vector<TroubleCase> cases = {
      {"NodeName=n1 State=SLEEPY\n", "\"SLEEPY\" is no state that Slurm is known to print"},
      {"NodeName=n2 State=IDLE\n", "the controller has no node n1"},
      {"nonsense\n", "is no line of a node"},
  };
  for (const auto& row : cases) {
    Write("node", row.node);
    const Ran ran = RunAll("passing");
    ASSERT_TRUE(ran.status.ok()) << ran.status.status();
    EXPECT_EQ(*ran.status, ExitStatus::kCouldNotRun) << row.node;
    EXPECT_THAT(ran.error, HasSubstr(row.says)) << row.node;
    EXPECT_THAT(ran.output, HasSubstr("filesystem-writable")) << "the checks are shown all the same";
    const Ran json = RunAll("passing", "--json");
    EXPECT_THAT(json.output, HasSubstr("\"error\""));
  }
}

struct UsageCase {
  std::string arguments;
  std::string says;
};

TEST_F(CheckSlurmTest, RefusesOptionsThatMakeNoSense) {
  const std::vector<UsageCase> cases = {
      {"", "SLURMD_NODENAME"},
      {"--node n1;n2", "is no name of a node"},
      {"--node n1 --deadline 60s", "after which slurmd ends"},
      {"--node n1 --deadline 0s", "want more than nothing"},
      {"--node n1 --deadline soon", "--deadline"},
      {"--node n1 --wait later", "--wait"},
      {"--node n1 --only swp", "swp"},
  };
  for (const auto& row : cases) {
    const Ran ran = RunCheck("passing", row.arguments);
    EXPECT_EQ(ran.status.status().code(), StatusCode::kInvalidArgument) << row.arguments;
    EXPECT_THAT(std::string(base::Message(ran.status.status())), HasSubstr(row.says)) << row.arguments;
    EXPECT_EQ(Contents("calls"), "") << row.arguments;
  }
  CLI::App app;
  SlurmCheckOptions options;
  AddSlurmCheckOptions(app, options);
  EXPECT_THROW(app.parse("--node n1"), CLI::ParseError);
}

// A socket that takes connections and never answers, as a database server that hangs.
class SilentServer {
 public:
  SilentServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address_;
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    EXPECT_EQ(::bind(socket_, address, length), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    EXPECT_EQ(::getsockname(socket_, address, &length), 0);
  }
  ~SilentServer() { ::close(socket_); }
  int port() const { return ntohs(address_.sin_port); }

 private:
  int socket_;
  sockaddr_in address_{};
};

TEST_F(CheckSlurmTest, ALedgerThatHangsKeepsNoSickNodeInService) {
  const SilentServer server;
  setenv("ASHLAR_LEDGER", fmt::format("postgresql://127.0.0.1:{}/ledger", server.port()).c_str(), 1);
  const Ran ran = RunAll("failing", "--deadline 10s");
  unsetenv("ASHLAR_LEDGER");
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  EXPECT_EQ(*ran.status, ExitStatus::kFallsShort);
  EXPECT_THAT(Contents("node"), HasSubstr("IDLE+DRAIN"));
  EXPECT_THAT(ran.error, HasSubstr("cluster.decision is not kept in the ledger: the ledger did not answer within"));
}

// Runs `rows` in the place of the machine's checks.
auto ChecksOf(std::span<const node::CheckRow> rows) {
  return [rows](const node::CheckMachineRequest& request) {
    const os::SysReader system;
    const auto expectations = node::LoadExpectations(system, request);
    return node::RunCheckRows(rows, {.system = system, .expectations = *expectations}, request.run);
  };
}

TEST_F(CheckSlurmTest, ACheckThatHangsIsNamedAndTheNodeIsLeftInTime) {
  constexpr auto kLong = absl::Seconds(60);
  static constexpr std::array kRows = {
      node::CheckRow{"stuck", "?", kLong, [](const node::CheckContext&) -> std::vector<base::Finding> {
                       while (true) ::pause();
                     }}};
  const SlurmCheckRequest request{.options = {.enabled = true, .node = "n1", .deadline = "2s"},
                                  .common = {.data = folder_.path() + "/state"},
                                  .run_checks = ChecksOf(kRows),
                                  .record = false};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const absl::Duration start = base::SystemClock().Monotonic();
  const auto status = RunSlurmCheck(request);
  const absl::Duration took = base::SystemClock().Monotonic() - start;
  const std::string output = testing::internal::GetCapturedStdout();
  const std::string error = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(*status, ExitStatus::kCouldNotRun);
  EXPECT_GE(took, absl::Seconds(1));
  EXPECT_LT(took, kLong);
  EXPECT_THAT(output, HasSubstr("the check stuck did not answer within"));
  EXPECT_THAT(error, HasSubstr("its checks are unknown: it is not drained for that"));
  EXPECT_EQ(Contents("node"), "NodeName=n1 State=IDLE\n");
}

TEST_F(CheckSlurmTest, ADeadlineThatIsOverChangesNothingAndSaysSo) {
  const Ran ran = RunCheck("failing", "--node n1 --deadline 1ms");
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  EXPECT_EQ(*ran.status, ExitStatus::kCouldNotRun);
  EXPECT_THAT(ran.output, HasSubstr("not run: the deadline of all checks"));
  EXPECT_THAT(ran.error, HasSubstr("no time was left"));
  EXPECT_EQ(Contents("calls"), "");
}

}  // namespace
}  // namespace ashlar::cli
