#include "node/checks/gpu_access.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"
#include "node/checks/gpu_count.h"
#include "node/checks/gpu_ecc.h"
#include "node/checks/gpu_nvlink.h"
#include "node/checks/gpu_persistence.h"
#include "node/checks/gpu_throttling.h"
#include "node/fake_driver_testing.h"

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

// From here on the drivers are shared objects that speak NVML and ROCm SMI, opened as the real ones are.

FakeMachine MachineWithDriver(absl::Duration deadline) {
  FakeMachine machine(NvidiaOnPci(8));
  machine.accelerated = true;
  machine.size = "Standard_ND96isr_H100_v5";
  machine.read_gpus = [deadline](GpuVendor vendor) -> base::StatusOr<GpuInventory> {
    if (vendor == GpuVendor::kAmd) return base::Error(StatusCode::kNotFound, "no library");
    GpuSources sources = FakeGpuSources();
    sources.deadline = deadline;
    return ReadGpus(vendor, sources);
  };
  return machine;
}

struct DriverCase {
  std::string settings;                     // fake_nvml.c
  std::map<std::string, Verdict> verdicts;  // of checks that do not pass
};

std::map<std::string, Verdict> All(Verdict verdict) {
  return {{"gpu-count", verdict},
          {"gpu-ecc", verdict},
          {"gpu-throttling", verdict},
          {"gpu-nvlink", verdict},
          {"gpu-persistence", verdict}};
}

TEST(GpuDriver, VerdictsOverAnNvmlThatSpeaksItsInterface) {
  const std::vector<DriverCase> cases = {
      {"gpus=8", {}},
      {"gpus=7", {{"gpu-count", Verdict::kFail}}},
      {"init=9", All(Verdict::kUnknown)},
      {"init=999", All(Verdict::kUnknown)},
      {"gpus=129", All(Verdict::kUnknown)},
      {"lost=3",
       {{"gpu-count", Verdict::kFail},
        {"gpu-ecc", Verdict::kUnknown},
        {"gpu-throttling", Verdict::kUnknown},
        {"gpu-nvlink", Verdict::kUnknown},
        {"gpu-persistence", Verdict::kUnknown}}},
      {"throttle=1", {}},
      {"throttle=9,throttle_gpu=2", {{"gpu-throttling", Verdict::kFail}}},
      {"ecc=2", {{"gpu-ecc", Verdict::kFail}}},
      {"ecc_mode=0", {{"gpu-ecc", Verdict::kFail}}},
      {"remap_failed=1", {{"gpu-ecc", Verdict::kFail}}},
      {"persistence=0", {{"gpu-persistence", Verdict::kFail}}},
      {"down_link=4", {{"gpu-nvlink", Verdict::kFail}}},
      {"links=12", {{"gpu-nvlink", Verdict::kFail}}},
  };
  const FakeMachine machine = MachineWithDriver(absl::Seconds(30));
  for (const auto& row : cases) {
    const FakeDriverSettings told(row.settings);
    for (const auto check : kGpuChecks) {
      const auto finding = OnlyFinding(machine.Run(check));
      const auto expected = row.verdicts.find(finding.id);
      EXPECT_EQ(finding.verdict, expected == row.verdicts.end() ? Verdict::kPass : expected->second)
          << row.settings << ": " << DescribeFinding(finding);
    }
  }
}

// Blank sentinels, impossible numbers, texts without end, functions that the driver lacks: never a pass.
TEST(GpuDriver, GarbageAndSilenceNeverPass) {
  const FakeMachine machine = MachineWithDriver(absl::Seconds(30));
  for (const std::string settings : {"garbage=1", "unsupported=1"}) {
    const FakeDriverSettings told(settings);
    for (const auto check : {&CheckGpuEcc, &CheckGpuThrottling, &CheckGpuNvlink, &CheckGpuPersistence}) {
      const auto finding = OnlyFinding(machine.Run(check));
      EXPECT_NE(finding.verdict, Verdict::kPass) << settings << ": " << DescribeFinding(finding);
      EXPECT_FALSE(finding.reason.empty());
    }
  }
}

TEST(GpuDriver, AChildOpensTheDriverByItself) {
  const FakeDriverSettings told("down_link=4");
  MachineWithDriver(absl::Seconds(30)).With("", [](const CheckContext& context) {
    const auto findings = RunChecks(context, {.only = {"gpu-count", "gpu-nvlink"}, .parallel = 1});
    ASSERT_TRUE(findings.ok()) << findings.status();
    ASSERT_EQ(findings->size(), 2U);
    EXPECT_EQ((*findings)[0].verdict, Verdict::kPass) << DescribeFinding((*findings)[0]);
    EXPECT_EQ((*findings)[1].verdict, Verdict::kFail) << DescribeFinding((*findings)[1]);
  });
}

TEST(GpuDriver, ACallThatHangsIsNamed) {
  const FakeDriverHang hang("gpus=8");
  MachineWithDriver(absl::Milliseconds(200)).With("", [](const CheckContext& context) {
    const auto findings = RunChecks(context, {.only = {"gpu-throttling"}, .parallel = 1});
    ASSERT_TRUE(findings.ok()) << findings.status();
    const auto finding = OnlyFinding(*findings);
    EXPECT_EQ(finding.verdict, Verdict::kUnknown);
    EXPECT_NE(finding.reason.find("nvmlDeviceGetPowerUsage"), std::string::npos) << DescribeFinding(finding);
  });
}

}  // namespace
}  // namespace ashlar::node
