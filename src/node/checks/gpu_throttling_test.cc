#include "node/checks/gpu_throttling.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct MaskCase {
  std::string name;
  std::optional<uint64_t> mask;
  std::string node_yaml;
  Verdict verdict;
};

TEST(GpuThrottling, TheMaskIsReadBitByBit) {
  // Bits: NVML reference, clocks event reasons.
  const std::vector<MaskCase> cases = {
      {"nothing", 0, "", Verdict::kPass},
      {"idle", 0x1, "", Verdict::kPass},
      {"all that is no fault together", 0x1 | 0x2 | 0x4 | 0x10 | 0x100, "", Verdict::kPass},
      {"hardware slowdown", 0x8, "", Verdict::kFail},
      {"hardware slowdown beside idle", 0x8 | 0x1, "", Verdict::kFail},
      {"software thermal", 0x20, "", Verdict::kFail},
      {"hardware thermal beside the power cap", 0x40 | 0x4, "", Verdict::kFail},
      {"power brake", 0x80, "", Verdict::kFail},
      {"a bit without a name", 0x200, "", Verdict::kFail},
      {"not told", std::nullopt, "", Verdict::kUnknown},
      {"stricter in the configuration", 0x4, "gpu_throttling_allowed: [idle]", Verdict::kFail},
      {"laxer in the configuration", 0x20, "gpu_throttling_allowed: [idle, \"software_*\"]", Verdict::kPass},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine(NvidiaOnPci(2));
    GpuInventory inventory = HealthyGpus(2);
    inventory.gpus[1].throttle_reasons = row.mask;
    machine.gpus.insert({GpuVendor::kNvidia, inventory});
    const auto finding = OnlyFinding(machine.Run(&CheckGpuThrottling, row.node_yaml));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    const bool named = finding.reason.find("GPU 1") != std::string::npos;
    EXPECT_EQ(named, row.verdict != Verdict::kPass) << finding.reason;
  }
}

}  // namespace
}  // namespace ashlar::node
