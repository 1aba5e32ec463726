#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>

#include "node/fake_driver_testing.h"
#include "node/fake_tree_testing.h"
#include "node/limits.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);  // ends a broken test, and is never waited for otherwise

TEST(GpuSensorTest, GpusAreInTheSampleAfterTheyWereRead) {
  SampledMachine machine(PlainMachine());
  machine.sources.gpus = FakeGpuSources();
  Sampler sampler(machine.sources);
  EXPECT_FALSE(SourceOf(sampler.Take(), "gpu_nvidia").status.ok()) << "being read for the first time";
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "gpu_nvidia").status.ok()) << SourceOf(sample, "gpu_nvidia").status;
  constexpr std::string_view kLabels =
      R"(gpu="0",UUID="GPU-00000000-0000-0000-0000-000000000000",pci_bus_id="00000001:00:00.0",device="nvidia0",)"
      R"(modelName="NVIDIA H100 80GB HBM3",Hostname="plain")";
  EXPECT_EQ(ValueOf(sample, "DCGM_FI_DEV_SM_CLOCK", kLabels), 1980);
  EXPECT_EQ(ValueOf(sample, "DCGM_FI_DEV_POWER_USAGE", kLabels), 71.5);
  EXPECT_EQ(ValueOf(sample, "DCGM_FI_DEV_FB_USED", kLabels), 1024);
  EXPECT_EQ(ValueOf(sample, "ashlar_gpu_reachable", kLabels), 1);
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const FakeDriverSettings told("lost=0");
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const Sample& lost = sampler.Take();
  EXPECT_FALSE(SourceOf(lost, "gpu_nvidia").status.ok());
  EXPECT_EQ(ValueOf(lost, "ashlar_gpu_reachable", kLabels), 0);
  EXPECT_TRUE(std::isnan(ValueOf(lost, "DCGM_FI_DEV_POWER_USAGE", kLabels)));
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(GpuSensorTest, AGpuDriverThatHangsCostsOnlyItsOwnValues) {
  FakeDriverHang hang("gpus=1");
  SampledMachine machine(PlainMachine());
  machine.sources.gpus.nvml_library = FakeNvmlPath();
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.clock.Advance(absl::Seconds(60));
  const Sample& sample = sampler.Take();
  const base::Status status = SourceOf(sample, "gpu_nvidia").status;
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_FALSE(std::isnan(RateOf(sample, "node_context_switches_total")));
  hang.Release();
  EXPECT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(GpuSensorTest, AmdGpusHaveNamesOfTheirOwn) {
  SampledMachine machine(PlainMachine());
  machine.sources.gpus.rocm_smi_library = FakeRocmSmiPath();
  Sampler sampler(machine.sources);
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  constexpr std::string_view kLabels =
      R"(gpu="0",UUID="GPU-1122334455660000",pci_bus_id="00000001:83:02.1",device="amd0",)"
      R"(modelName="AMD Instinct MI300X",Hostname="plain")";
  const Sample& sample = sampler.Take();
  EXPECT_EQ(ValueOf(sample, "ashlar_amd_gpu_power_watts", kLabels), 137);
  EXPECT_EQ(ValueOf(sample, "ashlar_amd_gpu_memory_used_mebibytes", kLabels), 284) << "297,795,584 bytes";
  EXPECT_TRUE(std::isnan(ValueOf(sample, "ashlar_amd_gpu_throttle_reasons", kLabels))) << "ROCm SMI has none";
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(GpuSensorTest, ReadingsThatAreTooOldAreNotShown) {
  SampledMachine machine(PlainMachine());
  machine.sources.gpus = FakeGpuSources();
  Sampler sampler(machine.sources);
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  machine.clock.Advance(kGpuFreshness + absl::Milliseconds(1));
  EXPECT_EQ(SourceOf(sampler.Take(), "gpu_nvidia").status.code(), base::StatusCode::kUnavailable);
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  machine.clock.Advance(kGpuFreshness);
  EXPECT_TRUE(SourceOf(sampler.Take(), "gpu_nvidia").status.ok()) << "read anew meanwhile";
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(GpuSensorTest, ALibraryThatIsMissingIsLookedForOnceAMinute) {
  SampledMachine machine(PlainMachine());
  os::TemporaryDirectory folder = *os::TemporaryDirectory::Create();
  machine.sources.gpus.nvml_library = folder.path() + "/libnvidia-ml.so.1";
  Sampler sampler(machine.sources);
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  ASSERT_EQ(::symlink(FakeNvmlPath().c_str(), machine.sources.gpus.nvml_library.c_str()), 0);
  machine.clock.Advance(kGpuLibraryRetry - absl::Milliseconds(1));
  EXPECT_EQ(SourceOf(sampler.Take(), "gpu_nvidia").status.code(), base::StatusCode::kNotFound);
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  EXPECT_EQ(SourceOf(sampler.Take(), "gpu_nvidia").status.code(), base::StatusCode::kNotFound) << "not looked yet";
  machine.clock.Advance(absl::Milliseconds(1));
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  EXPECT_TRUE(SourceOf(sampler.Take(), "gpu_nvidia").status.ok()) << "the driver was installed";
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
}

}  // namespace
}  // namespace ashlar::node
