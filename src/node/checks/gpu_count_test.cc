#include "node/checks/gpu_count.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

base::Finding Check(int on_pci, std::optional<uint32_t> counted, const std::string& node_yaml = "") {
  FakeMachine machine(NvidiaOnPci(on_pci));
  if (counted) machine.gpus.insert({GpuVendor::kNvidia, HealthyGpus(*counted)});
  return OnlyFinding(machine.Run(&CheckGpuCount, node_yaml));
}

struct CountCase {
  std::string name;
  int on_pci;
  std::optional<uint32_t> counted;
  std::string node_yaml;
  Verdict verdict;
  std::string reason;
};

TEST(GpuCount, Cases) {
  const std::vector<CountCase> cases = {
      {"none", 0, std::nullopt, "", Verdict::kNotApplicable, "none is expected"},
      {"none expected explicitly", 0, std::nullopt, "gpu_count: 0", Verdict::kNotApplicable, ""},
      {"as many as on PCI", 8, 8, "", Verdict::kPass, ""},
      {"driver sees one less than PCI", 8, 7, "", Verdict::kFail, "1 GPUs are missing"},
      {"one less than the size has", 7, 7, "size: Standard_ND96isr_H100_v5", Verdict::kFail, "1 GPUs are missing"},
      {"as the size has", 8, 8, "size: Standard_ND96isr_H100_v5", Verdict::kPass, ""},
      {"more than stated", 8, 8, "gpu_count: 4", Verdict::kFail, "more GPUs"},
      {"none on PCI and 8 expected", 0, std::nullopt, "gpu_count: 8", Verdict::kFail, "PCI shows none"},
      {"on PCI without driver", 8, std::nullopt, "gpu_count: 8", Verdict::kUnknown, "driver"},
      {"driver counts none", 8, 0, "", Verdict::kUnknown, ""},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const auto finding = Check(row.on_pci, row.counted, row.node_yaml);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

TEST(GpuCount, ALostGpuIsNamed) {
  FakeMachine machine(NvidiaOnPci(2));
  GpuInventory inventory = HealthyGpus(2);
  inventory.gpus[1].handle = base::Error(base::StatusCode::kUnavailable, "nvmlDeviceGetHandleByIndex_v2: GPU is lost");
  machine.gpus.insert({GpuVendor::kNvidia, inventory});
  const auto finding = OnlyFinding(machine.Run(&CheckGpuCount));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_NE(finding.reason.find("GPU is lost"), std::string::npos);
  EXPECT_EQ(finding.value.to_number<int>(), 1);
}

}  // namespace
}  // namespace ashlar::node
