#include "node/checks/gpu_access.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"
#include "node/checks/gpu_count.h"
#include "node/checks/gpu_ecc.h"
#include "node/checks/gpu_nvlink.h"
#include "node/checks/gpu_persistence.h"
#include "node/checks/gpu_throttling.h"

namespace ashlar::node {
namespace {

using base::StatusCode;
using base::Verdict;

constexpr std::array kGpuChecks = {&CheckGpuCount, &CheckGpuEcc, &CheckGpuThrottling, &CheckGpuNvlink,
                                   &CheckGpuPersistence};

void ExpectAll(const FakeMachine& machine, Verdict verdict, const std::string& node_yaml = "") {
  for (const auto check : kGpuChecks) {
    const auto finding = OnlyFinding(machine.Run(check, node_yaml));
    EXPECT_EQ(finding.verdict, verdict) << DescribeFinding(finding);
    EXPECT_TRUE(verdict == Verdict::kPass || !finding.reason.empty());
  }
}

TEST(GpuAccess, NoGpuDoesNotApply) { ExpectAll(FakeMachine(), Verdict::kNotApplicable); }

TEST(GpuAccess, ADriverLibraryWithoutGpuIsALeftover) {
  FakeMachine machine;
  machine.gpus.insert({GpuVendor::kNvidia, base::Error(StatusCode::kFailedPrecondition, "driver not loaded")});
  ExpectAll(machine, Verdict::kNotApplicable);
}

TEST(GpuAccess, GpusWithoutDriverAreUnknown) { ExpectAll(FakeMachine(NvidiaOnPci(8)), Verdict::kUnknown); }

TEST(GpuAccess, ADriverThatHangsIsUnknownEvenWithoutPci) {
  FakeMachine machine;
  machine.gpus.insert({GpuVendor::kNvidia, base::Error(StatusCode::kDeadlineExceeded, "nvmlInit_v2 hangs")});
  ExpectAll(machine, Verdict::kUnknown);
}

TEST(GpuAccess, PciThatCannotBeReadIsUnknown) {
  ExpectAll(FakeMachine(Files{{"/sys/bus/pci/devices/0000:00:01.0/class", "gpu"}}), Verdict::kUnknown);
}

TEST(GpuAccess, EightHealthyOnesPass) {
  FakeMachine machine(NvidiaOnPci(8));
  machine.accelerated = true;
  machine.size = "Standard_ND96isr_H100_v5";
  machine.gpus.insert({GpuVendor::kNvidia, HealthyGpus(8)});
  ExpectAll(machine, Verdict::kPass);
}

TEST(GpuAccess, GpusOfAmdAreReadTooAndHaveNoNvlinkOrPersistence) {
  FakeMachine machine(Files{{"/sys/bus/pci/devices/0000:0c:00.0/class", "0x120000\n"},
                            {"/sys/bus/pci/devices/0000:0c:00.0/vendor", "0x1002\n"}});
  machine.accelerated = true;
  GpuInventory inventory{.vendor = GpuVendor::kAmd};
  Gpu gpu = HealthyGpu(0);
  gpu.vendor = GpuVendor::kAmd;
  gpu.links.reset();
  gpu.persistence.reset();
  gpu.throttle_reasons.reset();
  inventory.gpus.push_back(gpu);
  machine.gpus.insert({GpuVendor::kAmd, inventory});
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuCount)).verdict, Verdict::kPass);
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuEcc)).verdict, Verdict::kPass);
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuThrottling)).verdict, Verdict::kUnknown);
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuNvlink)).verdict, Verdict::kNotApplicable);
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckGpuPersistence)).verdict, Verdict::kNotApplicable);
}

TEST(GpuAccess, LabelHoldsIndexAndBus) {
  EXPECT_EQ(GpuLabel(HealthyGpu(0)), "GPU 0 (00000001:00:00.0)");
  Gpu gpu;
  gpu.index = 3;
  EXPECT_EQ(GpuLabel(gpu), "GPU 3");
}

}  // namespace
}  // namespace ashlar::node
