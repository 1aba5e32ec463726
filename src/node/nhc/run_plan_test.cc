#include "node/nhc/run_plan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::StatusCode;
using base::Verdict;
using Findings = std::vector<base::Finding>;

const Files kMachine = {
    {"/proc/loadavg", "24.90 12.00 6.10 3/400 5000\n"},
    {"/proc/net/dev", "Inter-| Receive | Transmit\n face | bytes | bytes\n  eth0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n"},
    {"/proc/self/mountinfo", "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n22 21 0:5 / /hung rw - nfs server:/x rw\n"}};

NhcPlan Plan(const std::string& text) {
  const auto plan = MakeNhcPlan({.path = "/etc/nhc/nhc.conf", .text = text, .host = "node-1"});
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *plan;
}

base::StatusOr<Findings> RunHere(const FakeMachine& machine, const NhcPlan& plan, const std::string& node_yaml = "") {
  base::StatusOr<Findings> findings = Findings{};
  machine.With(node_yaml, [&](const CheckContext& context) { findings = RunNhcPlan(plan, context, {}); });
  return findings;
}

TEST(RunNhcPlan, OneFindingForEachLineOfThisHostInItsPlace) {
  const auto findings = RunHere(FakeMachine(kMachine), Plan("* || export A=eth0\n"
                                                            "* || check_hw_eth $A\n"
                                                            "login* || check_hw_eth eth9\n"
                                                            "* || check_gpu_bw 48 335\n"
                                                            "* || check_hw_eth ib0\n"
                                                            "nonsense\n"
                                                            "* || check_ps_loadavg 30\n"));
  ASSERT_TRUE(findings.ok()) << findings.status();
  ASSERT_EQ(findings->size(), 5U);
  struct Row {
    std::string id;
    Verdict verdict;
    std::string place;
  };
  const std::vector<Row> rows = {
      {"nhc:2 check_hw_eth", Verdict::kPass, "/etc/nhc/nhc.conf:2"},
      {"nhc:4 check_gpu_bw", Verdict::kUnknown, "/etc/nhc/nhc.conf:4"},
      {"nhc:5 check_hw_eth", Verdict::kFail, "/etc/nhc/nhc.conf:5"},
      {"nhc:6", Verdict::kUnknown, "/etc/nhc/nhc.conf:6"},
      {"nhc:7 check_ps_loadavg", Verdict::kPass, "/etc/nhc/nhc.conf:7"},
  };
  for (size_t index = 0; index < rows.size(); ++index) {
    const base::Finding& finding = (*findings)[index];
    EXPECT_EQ(finding.id, rows[index].id);
    EXPECT_EQ(finding.verdict, rows[index].verdict) << DescribeFinding(finding);
    EXPECT_EQ(finding.expectation_source, rows[index].place);
    EXPECT_FALSE(finding.expectation.empty());
    EXPECT_EQ(finding.reason.empty(), finding.verdict == Verdict::kPass);
  }
}

TEST(RunNhcPlan, NothingAskedIsNoPass) {
  for (const auto* text : {"", "# note\n", "login* || check_hw_eth eth0\n", "* || export A=1\n"}) {
    const auto findings = RunHere(FakeMachine(kMachine), Plan(text));
    EXPECT_EQ(findings.status().code(), StatusCode::kFailedPrecondition) << text;
    EXPECT_NE(base::Message(findings.status()).find("no check for node-1"), std::string::npos);
    EXPECT_EQ(base::MapStatus(findings.status().code()).exit_status, base::ExitStatus::kCouldNotRun);
  }
}

TEST(RunNhcPlan, ALineThatHangsIsNamedAndKeepsNoOtherFromItsAnswer) {
  FakeMachine machine(kMachine);
  machine.kernel.hanging["/hung"] = 1;
  NhcPlan plan = Plan("* || check_fs_free /hung 5%\n* || check_hw_eth eth0\n");
  plan.lines[0].check.time_limit = absl::Milliseconds(200);
  const auto findings = RunHere(machine, plan);
  ASSERT_TRUE(findings.ok());
  EXPECT_EQ((*findings)[0].verdict, Verdict::kUnknown);
  EXPECT_NE((*findings)[0].reason.find("did not answer within 200 ms"), std::string::npos) << (*findings)[0].reason;
  EXPECT_EQ((*findings)[0].expectation_source, "/etc/nhc/nhc.conf:1");
  EXPECT_EQ((*findings)[0].expectation, "statvfs: /hung >= 5 % free");
  EXPECT_EQ((*findings)[1].verdict, Verdict::kPass);
}

// What a line leaves to the machine's expectations has two places.
TEST(RunNhcPlan, BothPlacesOfAnExpectation) {
  FakeMachine machine(NvidiaOnPci(1));
  machine.gpus.insert({GpuVendor::kNvidia, HealthyGpus(1)});
  const auto findings =
      RunHere(machine, Plan("* || check_nvlink_status\n* || check_gpu_count 1\n"), "gpu_nvlink_count: 18");
  ASSERT_TRUE(findings.ok());
  EXPECT_EQ((*findings)[0].verdict, Verdict::kPass) << DescribeFinding((*findings)[0]);
  EXPECT_EQ((*findings)[0].expectation_source, "/etc/nhc/nhc.conf:1; configuration: node.gpu_nvlink_count");
  EXPECT_EQ((*findings)[1].expectation_source, "/etc/nhc/nhc.conf:2");
}

class ReadPlan : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok());
    folder_.emplace(*std::move(folder));
  }

  std::string Write(const std::string& text) {
    std::string path = folder_->path() + "/nhc.conf";
    std::ofstream(path) << text;
    return path;
  }

  base::StatusOr<NhcPlan> Read(const std::string& path) {
    return ReadNhcPlan(os::RealFileSystem(), path, FakeKernelCalls());
  }

  std::optional<os::TemporaryDirectory> folder_;
};

TEST_F(ReadPlan, ForTheHostOfTheKernel) {
  const std::string path = Write("node-1 || check_hw_eth eth0\nnode-2 || check_hw_eth eth0\n");
  const auto plan = Read(path);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->path, path);
  EXPECT_EQ(plan->host, "node-1");
  EXPECT_EQ(plan->lines[0].outcome, NhcOutcome::kCheck);
  EXPECT_EQ(plan->lines[1].outcome, NhcOutcome::kOtherHost);
}

// NHC ends with 0 for each of these.
TEST_F(ReadPlan, AFileThatCannotBeReadCouldNotRun) {
  const std::string pipe = folder_->path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string large = Write(std::string(kMaxNhcConf.count + 1, '#'));
  for (const auto& path : {folder_->path() + "/none", folder_->path(), large + "/below", std::string(), pipe, large}) {
    const auto plan = Read(path);
    ASSERT_FALSE(plan.ok()) << path;
    EXPECT_EQ(base::MapStatus(plan.status().code()).exit_status, base::ExitStatus::kCouldNotRun) << plan.status();
    EXPECT_NE(base::Message(plan.status()).find(path), std::string::npos) << plan.status();
  }
}

TEST_F(ReadPlan, AHostWithoutAName) {
  FakeKernelCalls kernel;
  kernel.host_name = base::Error(StatusCode::kInternal, "gethostname: broken");
  EXPECT_EQ(ReadNhcPlan(os::RealFileSystem(), Write("* || check_hw_eth lo\n"), kernel).status().code(),
            StatusCode::kInternal);
}

TEST(CheckMachineByPlan, OfThisMachine) {
  const auto plan = MakeNhcPlan({.path = "p", .text = "* || check_file_test -c -r /dev/null\n", .host = "any"});
  ASSERT_TRUE(plan.ok());
  const auto findings = CheckMachineByPlan(*plan, {});
  ASSERT_TRUE(findings.ok()) << findings.status();
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_EQ((*findings)[0].verdict, Verdict::kPass) << DescribeFinding((*findings)[0]);
  CheckMachineRequest wrong;
  wrong.configuration = base::JsonObject{{"node", base::JsonObject{{"no_such_key", 1}}}};
  EXPECT_EQ(CheckMachineByPlan(*plan, wrong).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::node
