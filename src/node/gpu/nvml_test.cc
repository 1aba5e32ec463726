#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"
#include "node/gpu/gpu_library.h"
#include "node/gpu/nvml_abi.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

base::StatusOr<GpuInventory> Read(const std::string& settings, const std::string& library = FakeNvmlPath()) {
  const FakeDriverSettings told(settings);
  CurrentCall current = nullptr;
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<GpuLibrary> nvml, OpenNvml(library, current));
  return nvml->ReadInventory();
}

// True when `unknowns` has a line for `field` with `words` in it.
bool IsUnknown(const Unknowns& unknowns, std::string_view field, std::string_view words) {
  for (const Unknown& unknown : unknowns) {
    if (unknown.field == field) return unknown.reason.find(words) != std::string::npos;
  }
  return false;
}

TEST(NvmlTest, SaysWhyItCannotBeUsed) {
  struct Row {
    std::string_view name;
    std::string settings;
    base::StatusCode code;
    std::string_view words;
  };
  const Row rows[] = {
      {"driver not loaded", "init=9", base::StatusCode::kFailedPrecondition, "not loaded"},
      {"versions differ", "init=18", base::StatusCode::kFailedPrecondition, "different versions"},
      {"no permission", "init=4", base::StatusCode::kPermissionDenied, "/dev/nvidia"},
      {"unknown error", "init=999", base::StatusCode::kUnknown, "internal error"},
      {"undocumented error", "init=12345", base::StatusCode::kUnknown, "does not document"},
      {"impossible count", "gpus=129", base::StatusCode::kDataLoss, "cannot be"},
      {"blank count", "gpus=0x7ffffff0", base::StatusCode::kDataLoss, "cannot be"},
  };
  for (const Row& row : rows) {
    const auto inventory = Read(row.settings);
    ASSERT_FALSE(inventory.ok()) << row.name;
    EXPECT_EQ(inventory.status().code(), row.code) << row.name << ": " << inventory.status();
    EXPECT_NE(base::Message(inventory.status()).find(row.words), std::string_view::npos) << inventory.status();
  }
}

TEST(NvmlTest, NoLibraryIsNotFound) {
  EXPECT_EQ(Read("", "libashlar-has-no-such.so.1").status().code(), base::StatusCode::kNotFound);
}

TEST(NvmlTest, AFileThatIsNoLibraryIsNoMissingOne) {
  const auto inventory = Read("", ASHLAR_TESTDATA "/no_library.so");
  EXPECT_EQ(inventory.status().code(), base::StatusCode::kFailedPrecondition) << inventory.status();
}

TEST(NvmlTest, ALibraryWithoutTheFunctionsIsNoNvml) {
  EXPECT_EQ(Read("", FakeRocmSmiPath()).status().code(), base::StatusCode::kUnimplemented);
}

// The numbers are those of fake_nvml.c.
TEST(NvmlTest, ReadsEightHealthyGpus) {
  const auto inventory = Read("gpus=8");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->driver_version, "550.90.07");
  EXPECT_EQ(inventory->library_version, "12.550.90.07");
  EXPECT_TRUE(inventory->unknowns.empty());
  ASSERT_EQ(inventory->gpus.size(), 8U);
  const Gpu& gpu = inventory->gpus[7];
  EXPECT_TRUE(gpu.handle.ok());
  EXPECT_TRUE(gpu.unknowns.empty()) << gpu.unknowns.front().field << " " << gpu.unknowns.front().reason;
  EXPECT_EQ(gpu.index, 7U);
  EXPECT_EQ(gpu.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpu.uuid, "GPU-00000000-0000-0000-0000-000000000007");
  EXPECT_EQ(gpu.pci_bus_id, "00000008:00:00.0");
  EXPECT_EQ(gpu.memory_total_bytes, 85520809984U);
  EXPECT_EQ(gpu.memory_used_bytes, 1073741824U);
  EXPECT_EQ(gpu.clocks.sm_mhz, 1980U);
  EXPECT_EQ(gpu.clocks.memory_mhz, 2619U);
  EXPECT_EQ(gpu.maximum_clocks.sm_mhz, 1980U);
  EXPECT_EQ(gpu.application_clocks.sm_mhz, 1755U);
  EXPECT_EQ(gpu.throttle_reasons, 0U);
  EXPECT_EQ(gpu.power_watts, 71.5);
  EXPECT_EQ(gpu.power_limit_watts, 700);
  EXPECT_EQ(gpu.temperature_celsius, 34);
  EXPECT_EQ(gpu.utilization_percent, 5U);
  EXPECT_EQ(gpu.energy_joules, 123456.789);
  EXPECT_EQ(gpu.pcie_replays, 0U);
  EXPECT_EQ(gpu.persistence, true);
  EXPECT_EQ(gpu.ecc.enabled, true);
  EXPECT_EQ(gpu.ecc.volatile_uncorrected, 0U);
  ASSERT_TRUE(gpu.remapped_rows.has_value());
  EXPECT_EQ(gpu.remapped_rows->corrected, 2U);
  EXPECT_FALSE(gpu.remapped_rows->failed);
  ASSERT_TRUE(gpu.links.has_value());
  EXPECT_EQ(gpu.links->size(), 18U);
}

TEST(NvmlTest, AnEmptyMachineHasNoGpus) {
  const auto inventory = Read("gpus=0");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_TRUE(inventory->gpus.empty());
}

TEST(NvmlTest, AsManyGpusAsTheLimitAreBelieved) {
  const auto inventory = Read(fmt::format("gpus={}", kMaxGpus));
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->gpus.size(), kMaxGpus);
}

TEST(NvmlTest, ALostGpuIsCountedAndNothingOfItIsKnown) {
  const auto inventory = Read("gpus=8,lost=3");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  ASSERT_EQ(inventory->gpus.size(), 8U);
  const Gpu& lost = inventory->gpus[3];
  EXPECT_EQ(lost.handle.code(), base::StatusCode::kUnavailable);
  EXPECT_EQ(lost.index, 3U);
  EXPECT_EQ(lost.power_watts, std::nullopt);
  EXPECT_TRUE(IsUnknown(lost.unknowns, "handle", "fallen off the bus"));
  EXPECT_TRUE(inventory->gpus[4].handle.ok());
}

TEST(NvmlTest, SensorsFollowAGpuThatIsLostAndDropWhatWasKnown) {
  CurrentCall current = nullptr;
  const auto nvml = OpenNvml(FakeNvmlPath(), current);
  ASSERT_TRUE(nvml.ok()) << nvml.status();
  auto inventory = (*nvml)->ReadInventory();
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  {
    const FakeDriverSettings told("lost=2,ecc=7,throttle=0x48,sm_clock=1200");
    ASSERT_TRUE((*nvml)->ReadSensors(*inventory).ok());
  }
  const Gpu& lost = inventory->gpus[2];
  EXPECT_FALSE(lost.handle.ok());
  EXPECT_EQ(lost.uuid, "GPU-00000000-0000-0000-0000-000000000002") << "who it was stays known";
  EXPECT_EQ(lost.temperature_celsius, std::nullopt);
  EXPECT_EQ(inventory->gpus[0].ecc.volatile_uncorrected, 7U);
  EXPECT_EQ(inventory->gpus[1].ecc.volatile_uncorrected, 0U);
  EXPECT_EQ(inventory->gpus[1].throttle_reasons, kThrottleHardwareSlowdown | kThrottleHardwareThermal);
  EXPECT_EQ(inventory->gpus[1].clocks.sm_mhz, 1200U);
  EXPECT_EQ(inventory->gpus[1].persistence, true) << "what does not change is not read again, and stays";
}

TEST(NvmlTest, TheCallThatRunsIsForgottenAfterwards) {
  CurrentCall current = nullptr;
  ASSERT_TRUE(OpenNvml(FakeNvmlPath(), current).ok());
  EXPECT_EQ(current.load(), nullptr);
}

}  // namespace
}  // namespace ashlar::node
