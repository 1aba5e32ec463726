#include "node/checks/gpu_persistence.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct ModeCase {
  std::string name;
  std::optional<bool> second;
  bool accelerated;
  std::string node_yaml;
  Verdict verdict;
  std::string reason;
};

TEST(GpuPersistence, Cases) {
  const std::vector<ModeCase> cases = {
      {"on", true, true, "", Verdict::kPass, ""},
      {"off on one", false, true, "", Verdict::kFail, "not on on GPU 1"},
      {"not told", std::nullopt, true, "", Verdict::kUnknown, "GPU 1"},
      {"nothing expected", false, false, "", Verdict::kNotApplicable, "node.gpu_persistence"},
      {"off is wanted", false, true, "gpu_persistence: false", Verdict::kFail, "not off on GPU 0"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine(NvidiaOnPci(2));
    machine.accelerated = row.accelerated;
    GpuInventory inventory = HealthyGpus(2);
    inventory.gpus[1].persistence = row.second;
    machine.gpus.insert({GpuVendor::kNvidia, inventory});
    const auto finding = OnlyFinding(machine.Run(&CheckGpuPersistence, row.node_yaml));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

}  // namespace
}  // namespace ashlar::node
