#include "node/checks/process_limits.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

std::map<std::string, base::Finding> Check(const FakeMachine& machine, const std::string& node_yaml = "") {
  std::map<std::string, base::Finding> findings;
  for (auto& finding : machine.Run(&CheckProcessLimits, node_yaml)) findings.emplace(finding.id, finding);
  EXPECT_EQ(findings.size(), 2U);
  return findings;
}

TEST(ProcessLimits, UnreadableIsUnknown) {
  FakeMachine machine;
  machine.kernel.locked_memory = base::Error(base::StatusCode::kInternal, "getrlimit");
  machine.kernel.open_files = base::Error(base::StatusCode::kInternal, "getrlimit");
  for (const auto& [id, finding] : Check(machine)) EXPECT_EQ(finding.verdict, Verdict::kUnknown) << id;
}

TEST(ProcessLimits, LockedMemoryMattersWhereSomethingPinsIt) {
  FakeMachine machine;
  machine.kernel.locked_memory = ResourceLimit{.soft = 8388608, .hard = 8388608};
  EXPECT_EQ(Check(machine)["process-limits-memlock"].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(Check(machine, "memlock_bytes: 8M")["process-limits-memlock"].verdict, Verdict::kPass);
  EXPECT_EQ(Check(machine, "memlock_bytes: 8388609")["process-limits-memlock"].verdict, Verdict::kFail);
  machine.accelerated = true;
  EXPECT_EQ(Check(machine)["process-limits-memlock"].verdict, Verdict::kFail);
  machine.kernel.locked_memory->lock_capability = true;
  EXPECT_EQ(Check(machine)["process-limits-memlock"].verdict, Verdict::kPass);
  machine.kernel.locked_memory = ResourceLimit{.soft = UINT64_MAX, .hard = UINT64_MAX};
  EXPECT_EQ(Check(machine)["process-limits-memlock"].verdict, Verdict::kPass);
}

TEST(ProcessLimits, OpenFilesAtAndBelowTheLimit) {
  FakeMachine machine;
  machine.kernel.open_files = ResourceLimit{.soft = 1024, .hard = 4096};
  EXPECT_EQ(Check(machine)["process-limits-open-files"].verdict, Verdict::kPass);
  machine.kernel.open_files = ResourceLimit{.soft = 1023, .hard = 4096};
  EXPECT_EQ(Check(machine)["process-limits-open-files"].verdict, Verdict::kFail);
  // Azure's HPC images set 65535.
  machine.accelerated = true;
  machine.kernel.open_files = ResourceLimit{.soft = 65534, .hard = 65535};
  EXPECT_EQ(Check(machine)["process-limits-open-files"].verdict, Verdict::kFail);
  machine.kernel.open_files = ResourceLimit{.soft = 65535, .hard = 65535};
  EXPECT_EQ(Check(machine)["process-limits-open-files"].verdict, Verdict::kPass);
  EXPECT_EQ(Check(machine, "open_files: unlimited")["process-limits-open-files"].verdict, Verdict::kFail);
}

}  // namespace
}  // namespace ashlar::node
