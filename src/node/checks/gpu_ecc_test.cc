#include "node/checks/gpu_ecc.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct EccCase {
  std::string name;
  std::function<void(Gpu&)> change;  // of the second of two healthy GPUs
  Verdict verdict;
  std::string reason;
};

TEST(GpuEcc, OneGpuThatIsNotHealthy) {
  const std::vector<EccCase> cases = {
      {"healthy", [](Gpu&) {}, Verdict::kPass, ""},
      {"off", [](Gpu& gpu) { gpu.ecc.enabled = false; }, Verdict::kFail, "ECC off"},
      {"mode not told", [](Gpu& gpu) { gpu.ecc = {}; }, Verdict::kUnknown, "whether ECC is on"},
      {"counts not told", [](Gpu& gpu) { gpu.ecc.volatile_uncorrected.reset(); }, Verdict::kUnknown, "no error counts"},
      {"one uncorrected", [](Gpu& gpu) { gpu.ecc.volatile_uncorrected = 1; }, Verdict::kFail, "1 uncorrected"},
      {"corrected at the limit", [](Gpu& gpu) { gpu.ecc.volatile_corrected = 10000; }, Verdict::kPass, ""},
      {"corrected over the limit", [](Gpu& gpu) { gpu.ecc.volatile_corrected = 10001; }, Verdict::kFail, "10001"},
      {"rows pending", [](Gpu& gpu) { gpu.remapped_rows->pending = true; }, Verdict::kFail, "waits for a reset"},
      {"rows failed", [](Gpu& gpu) { gpu.remapped_rows->failed = true; }, Verdict::kFail, "no spare rows"},
      {"rows remapped and done", [](Gpu& gpu) { gpu.remapped_rows->uncorrected = 2; }, Verdict::kPass, ""},
      {"no row remapper (older board)", [](Gpu& gpu) { gpu.remapped_rows.reset(); }, Verdict::kPass, ""},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine(NvidiaOnPci(2));
    machine.accelerated = true;
    GpuInventory inventory = HealthyGpus(2);
    row.change(inventory.gpus[1]);
    machine.gpus.insert({GpuVendor::kNvidia, inventory});
    const auto finding = OnlyFinding(machine.Run(&CheckGpuEcc));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
    const bool named = finding.reason.find("GPU 1") != std::string::npos;
    EXPECT_EQ(named, row.verdict != Verdict::kPass) << finding.reason;
  }
}

TEST(GpuEcc, OffIsFineWhereTheConfigurationSaysSo) {
  FakeMachine machine(NvidiaOnPci(1));
  GpuInventory inventory = HealthyGpus(1);
  inventory.gpus[0].ecc = {.enabled = false};
  machine.gpus.insert({GpuVendor::kNvidia, inventory});
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuEcc, "gpu_ecc_enabled: false")).verdict, Verdict::kPass);
}

}  // namespace
}  // namespace ashlar::node
