#include "node/checks/cpu_governor.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Governors(const std::vector<std::string>& governors) {
  Files files;
  for (size_t index = 0; index < governors.size(); ++index) {
    files[fmt::format("/sys/devices/system/cpu/cpufreq/policy{}/scaling_governor", index)] = governors[index];
  }
  return files;
}

TEST(CpuGovernor, Cases) {
  const std::string wanted = "cpu_governors: [performance, schedutil]";
  const std::vector<CheckCase> cases = {
      {"no frequency driver", {}, wanted, Verdict::kNotApplicable, "does not set"},
      {"nothing expected", Governors({"powersave"}), "", Verdict::kNotApplicable, "node.cpu_governors"},
      {"empty governor", Governors({"performance", "\n"}), wanted, Verdict::kUnknown, "policy1"},
      {"unreadable", {{"/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "x"}}, wanted, Verdict::kUnknown, ""},
      {"no policy", {{"/sys/devices/system/cpu/cpufreq/boost", "1"}}, wanted, Verdict::kUnknown, "no policy"},
      {"all fine", Governors({"performance\n", "schedutil\n"}), wanted, Verdict::kPass, ""},
      {"one saves power", Governors({"performance", "powersave"}), wanted, Verdict::kFail, "cpupower"},
  };
  ExpectCases(&CheckCpuGovernor, cases);
}

TEST(CpuGovernor, AcceleratedMachinesMustPerform) {
  FakeMachine machine(Governors({"powersave"}));
  machine.accelerated = true;
  const auto finding = OnlyFinding(machine.Run(&CheckCpuGovernor));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.expectation_source, "data/node/accelerated.yaml: cpu_governors");
}

}  // namespace
}  // namespace ashlar::node
