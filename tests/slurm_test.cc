// Slurm and the program together, as on a node: slurmd runs deploy/slurm/health-check, that runs `ashlar check
// --slurm`, and what follows is read with scontrol.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base.h"
#include "cluster/slurm_server_testing.h"
#include "os/os.h"

namespace ashlar {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr absl::Duration kWait = absl::Seconds(120);
constexpr char kSettings[] =
    "ASHLAR={}\n"
    "ASHLAR_OPTIONS=(--config \"{}/$SLURMD_NODENAME.yaml\" --data \"{}/data-$SLURMD_NODENAME\" --skip {})\n"
    "ASHLAR_LOG=\"{}/log/health-$SLURMD_NODENAME.log\"\n"
    "ASHLAR_PROLOG_CHECKS=required-mounts\nASHLAR_EPILOG_CHECKS=required-mounts\n"
    "ASHLAR_REBOOT_COMMAND=(touch {}/rebooted)\n";
constexpr char kHealthScript[] =
    "[ -e $ASHLAR_SLURM_FOLDER/settings ] || exit 0\n"
    "export ASHLAR_SETTINGS=$ASHLAR_SLURM_FOLDER/settings SLURM_CONF=$ASHLAR_SLURM_FOLDER/slurm.conf\n"
    "exec " ASHLAR_SOURCE_ROOT "/deploy/slurm/health-check\n";
constexpr char kFails[] = "node: {mounts: [/no/such/mount]}\n";
constexpr char kPasses[] = "node: {}\n";

os::SubprocessResult RunWords(const std::vector<std::string>& command,
                              const std::map<std::string, std::string>& environment) {
  const auto result = os::RunSubprocess({.command = command, .environment = environment, .deadline = kWait});
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(os::SubprocessResult{});
}

// Every check but those that the test's configuration decides.
std::string Skipped() {
  std::string skipped;
  for (const std::string_view line : base::SplitLines(RunWords({ASHLAR_PROGRAM, "check", "--list"}, {}).output)) {
    const auto words = base::SplitWords(line);
    if (words.empty() || words[0] == "required-mounts" || words[0] == "filesystem-writable") continue;
    skipped += fmt::format("{}{}", skipped.empty() ? "" : ",", words[0]);
  }
  return skipped;
}

class SlurmProgramTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto server = cluster::SlurmServer::Start(
        // Shorter, and the health checks leave slurmctld no time for the ping by which a resumed node comes back.
        {.nodes = 5, .registered = 4, .health_script = kHealthScript, .health_interval = 3});
    started_ = server.status();
    if (!server.ok()) return;
    server_ = std::move(*server).release();
    const std::string& folder = server_->folder();
    for (int number = 1; number <= 5; ++number) Configure(fmt::format("n{}", number), kPasses);
    const std::string settings = fmt::format(kSettings, ASHLAR_PROGRAM, folder, folder, Skipped(), folder, folder);
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder + "/settings", settings).ok());
  }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }
  void SetUp() override {
    if (started_.code() == base::StatusCode::kNotFound) GTEST_SKIP() << started_;
    ASSERT_TRUE(started_.ok()) << started_;
  }

  static void Configure(const std::string& node, const std::string& yaml) {
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), server_->folder() + "/" + node + ".yaml", yaml).ok());
  }
  static std::string Node(const std::string& name) {
    return server_->Scontrol({"-o", "show", "node", name}).value_or("");
  }
  static std::string Log(const std::string& node) {
    return os::ReadWholeFile(os::RealFileSystem(), server_->folder() + "/log/health-" + node + ".log", {base::kMiB})
        .value_or("");
  }
  // Until a health check that slurmd started says so.
  static bool WaitForLog(const std::string& node, const std::string& text) {
    const absl::Duration start = base::SystemClock().Monotonic();
    while (base::SystemClock().Monotonic() - start < kWait) {
      if (Log(node).find(text) != std::string::npos) return true;
      RunWords({"sleep", "0.1"}, {});
    }
    return false;
  }
  static os::SubprocessResult Check(const std::string& node, const std::vector<std::string>& more) {
    std::vector<std::string> command = {
        ASHLAR_PROGRAM, "check", "--slurm", "--node", node, "--config", server_->folder() + "/" + node + ".yaml",
        "--no-record"};
    command.insert(command.end(), more.begin(), more.end());
    return RunWords(command, server_->environment());
  }
  static std::map<std::string, std::string> AsSlurmd(const std::string& node) {
    auto environment = server_->environment();
    environment["SLURMD_NODENAME"] = node;
    environment["ASHLAR_SETTINGS"] = server_->folder() + "/settings";
    return environment;
  }
  static std::string Deployed(const std::string& name) { return ASHLAR_SOURCE_ROOT "/deploy/slurm/" + name; }

  static inline cluster::SlurmServer* server_ = nullptr;
  static inline base::Status started_;
};

// One test, for slurmctld starts the health checks of all nodes together and not often.
TEST_F(SlurmProgramTest, AsHealthCheckProgramItDrainsWithAReasonResumesItsOwnAndLeavesAnothers) {
  ASSERT_TRUE(WaitForLog("n1", "left n1 as it is, IDLE: its checks pass")) << Log("n1");
  Configure("n1", kFails);
  Configure("n2", kFails);
  ASSERT_TRUE(server_->Scontrol({"update", "NodeName=n2", "State=DRAIN", "Reason=bob: bad DIMM"}).ok());
  const auto drained = server_->WaitForNode("n1", " State=IDLE+DRAIN");
  ASSERT_TRUE(drained.ok()) << drained.status() << Log("n1");
  EXPECT_THAT(*drained, HasSubstr("Reason=ashlar: required-mounts: not mounted: /no/such/mount"));
  EXPECT_THAT(Node("n3"), HasSubstr(" State=IDLE "));
  ASSERT_TRUE(WaitForLog("n2", "\"bob: bad DIMM\": that is another's to lift")) << Log("n2");
  EXPECT_THAT(Log("n2"), HasSubstr("FAIL: "));

  Configure("n1", kPasses);
  Configure("n2", kPasses);
  ASSERT_TRUE(server_->WaitForNode("n1", " State=IDLE").ok()) << Log("n1");
  EXPECT_THAT(Node("n1"), Not(HasSubstr("Reason=")));
  ASSERT_TRUE(WaitForLog("n2", "PASS: ")) << Log("n2");
  ASSERT_TRUE(WaitForLog("n2", "that is another's to lift")) << Log("n2");
  EXPECT_THAT(Node("n2"), HasSubstr("Reason=bob: bad DIMM ["));
  EXPECT_THAT(Node("n2"), HasSubstr(" State=IDLE+DRAIN "));

  const auto kept = RunWords({ASHLAR_PROGRAM, "ledger", "show", "--kind", "cluster.action", "--json", "--data",
                              server_->folder() + "/data-n1"},
                             {});
  ASSERT_GE(base::SplitLines(kept.output).size(), 2U) << kept.output << kept.error;
  EXPECT_THAT(kept.output, HasSubstr("\"action\":\"drain\""));
  EXPECT_THAT(kept.output, HasSubstr("\"action\":\"resume\""));
}

TEST_F(SlurmProgramTest, ByHandItWaitsForANodeThatHasNotRegistered) {
  Configure("n5", kFails);
  const auto early = Check("n5", {"--only", "required-mounts"});
  EXPECT_EQ(early.exit_code, 1) << early.error;
  EXPECT_THAT(early.output, HasSubstr("waiting for n5, UNKNOWN"));
  EXPECT_THAT(Node("n5"), Not(HasSubstr("Reason=")));

  // With --wait it acts as soon as the node is there, or slurmd's own health check does: whichever comes first.
  os::SubprocessOptions waiting;
  waiting.command = {
      ASHLAR_PROGRAM, "check",           "--slurm", "--node", "n5",         "--config", server_->folder() + "/n5.yaml",
      "--only",       "required-mounts", "--wait",  "40s",    "--no-record"};
  waiting.environment = server_->environment();
  auto child = os::ChildProcess::Start(waiting, server_->folder() + "/log/waiting");
  ASSERT_TRUE(child.ok()) << child.status();
  ASSERT_TRUE(server_->StartNode(5).ok());
  const auto drained = server_->WaitForNode("n5", "+DRAIN");
  ASSERT_TRUE(drained.ok()) << drained.status();
  EXPECT_THAT(*drained, HasSubstr("Reason=ashlar: required-mounts"));
}

TEST_F(SlurmProgramTest, ByHandTheExitStatusIsThatOfTheHouse) {
  const auto passed = Check("n3", {"--only", "filesystem-writable"});
  EXPECT_EQ(passed.exit_code, 0) << passed.output << passed.error;
  const auto dry = RunWords({ASHLAR_PROGRAM, "check", "--slurm", "--node", "n3", "--config",
                             server_->folder() + "/n5.yaml", "--only", "required-mounts", "--dry-run", "--no-record"},
                            server_->environment());
  EXPECT_LE(dry.exit_code, 1) << dry.error;
  EXPECT_THAT(Node("n3"), HasSubstr(" State=IDLE "));
  EXPECT_EQ(Check("n77", {"--only", "filesystem-writable"}).exit_code, 3);
  EXPECT_EQ(RunWords({ASHLAR_PROGRAM, "check", "--slurm", "--node", "n 3"}, server_->environment()).exit_code, 2);
  EXPECT_EQ(Check("n3", {"--deadline", "60s"}).exit_code, 2);
}

TEST_F(SlurmProgramTest, ThePrologRefusesAJobOnANodeThatFailsAndTheEpilogDrainsIt) {
  EXPECT_EQ(RunWords({Deployed("prolog")}, AsSlurmd("n4")).exit_code, 0);
  EXPECT_THAT(Node("n4"), HasSubstr(" State=IDLE "));
  Configure("n4", kFails);
  EXPECT_EQ(RunWords({Deployed("prolog")}, AsSlurmd("n4")).exit_code, 1);
  EXPECT_THAT(Node("n4"), HasSubstr("Reason=ashlar: required-mounts"));
  EXPECT_EQ(RunWords({Deployed("epilog")}, AsSlurmd("n4")).exit_code, 0);
  EXPECT_THAT(Node("n4"), HasSubstr("+DRAIN"));
}

TEST_F(SlurmProgramTest, TheRebootProgramLooksAndThenReboots) {
  EXPECT_EQ(RunWords({Deployed("reboot")}, AsSlurmd("n3")).exit_code, 0);
  EXPECT_TRUE(os::RealFileSystem().Stat(server_->folder() + "/rebooted").ok());
}

}  // namespace
}  // namespace ashlar
