#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"
#include "node/gpu/gpu_library.h"
#include "node/gpu/rocm_smi_abi.h"

namespace ashlar::node {
namespace {

base::StatusOr<GpuInventory> Read(const std::string& settings, const std::string& library = FakeRocmSmiPath()) {
  const FakeDriverSettings told(settings, "FAKE_ROCM_SMI");
  CurrentCall current = nullptr;
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<GpuLibrary> rocm_smi, OpenRocmSmi(library, current));
  return rocm_smi->ReadInventory();
}

bool IsUnknown(const Unknowns& unknowns, std::string_view field) {
  for (const Unknown& unknown : unknowns) {
    if (unknown.field == field) return true;
  }
  return false;
}

TEST(RocmSmiTest, SaysWhyItCannotBeUsed) {
  EXPECT_EQ(Read("", "libashlar-has-no-such.so").status().code(), base::StatusCode::kNotFound);
  // 8 is what the real library answers on a machine without the driver.
  EXPECT_EQ(Read("init=8").status().code(), base::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Read("init=4").status().code(), base::StatusCode::kPermissionDenied);
  EXPECT_EQ(Read("init=0xFFFFFFFF").status().code(), base::StatusCode::kUnknown);
  EXPECT_EQ(Read("gpus=5000").status().code(), base::StatusCode::kDataLoss);
  EXPECT_EQ(Read("", FakeNvmlPath()).status().code(), base::StatusCode::kUnimplemented);
}

// The numbers are those of fake_rocm_smi.c.
TEST(RocmSmiTest, ReadsEightHealthyGpus) {
  const auto inventory = Read("gpus=8");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->vendor, GpuVendor::kAmd);
  EXPECT_EQ(inventory->driver_version, "6.7.0");
  EXPECT_EQ(inventory->library_version, "7.2.0");
  ASSERT_EQ(inventory->gpus.size(), 8U);
  const Gpu& gpu = inventory->gpus[1];
  EXPECT_TRUE(gpu.unknowns.empty()) << gpu.unknowns.front().field << " " << gpu.unknowns.front().reason;
  EXPECT_EQ(gpu.name, "AMD Instinct MI300X");
  EXPECT_EQ(gpu.uuid, "GPU-1122334455660001");
  EXPECT_EQ(gpu.pci_bus_id, "00000002:83:02.1");
  EXPECT_EQ(gpu.memory_total_bytes, 206141652992U);
  EXPECT_EQ(gpu.memory_used_bytes, 297795584U);
  EXPECT_EQ(gpu.clocks.sm_mhz, 2100U);
  EXPECT_EQ(gpu.clocks.memory_mhz, 1300U);
  EXPECT_EQ(gpu.maximum_clocks.sm_mhz, 2100U);
  EXPECT_EQ(gpu.power_watts, 137);
  EXPECT_EQ(gpu.power_limit_watts, 750);
  EXPECT_EQ(gpu.temperature_celsius, 41);
  EXPECT_EQ(gpu.utilization_percent, 3U);
  EXPECT_EQ(gpu.ecc.enabled, true);
  EXPECT_EQ(gpu.ecc.volatile_uncorrected, 0U);
}

TEST(RocmSmiTest, ReadsTheOlderLayoutOfFrequencies) {
  const auto inventory = Read("gpus=1,major=5");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->gpus[0].clocks.sm_mhz, 132U) << "the first of two is in use";
  EXPECT_EQ(inventory->gpus[0].maximum_clocks.sm_mhz, 2100U);
}

TEST(RocmSmiTest, WhatIsNotSupportedOrImpossibleIsAbsentWithItsReason) {
  for (const std::string settings : {"gpus=1,unsupported=1", "gpus=1,garbage=1", "gpus=1,garbage=1,major=5"}) {
    const auto inventory = Read(settings);
    ASSERT_TRUE(inventory.ok()) << inventory.status();
    const Gpu& gpu = inventory->gpus[0];
    for (const std::string_view field :
         {"name", "uuid", "memory_total_bytes", "clocks.sm_mhz", "clocks.memory_mhz", "power_watts",
          "power_limit_watts", "temperature_celsius", "utilization_percent", "ecc.volatile_corrected"}) {
      EXPECT_TRUE(IsUnknown(gpu.unknowns, field)) << settings << " " << field;
    }
    EXPECT_EQ(gpu.memory_total_bytes, std::nullopt);
    EXPECT_EQ(gpu.clocks.sm_mhz, std::nullopt);
    EXPECT_EQ(gpu.temperature_celsius, std::nullopt);
  }
}

TEST(RocmSmiTest, SensorsAreReadAnew) {
  CurrentCall current = nullptr;
  const auto rocm_smi = OpenRocmSmi(FakeRocmSmiPath(), current);
  ASSERT_TRUE(rocm_smi.ok()) << rocm_smi.status();
  auto inventory = (*rocm_smi)->ReadInventory();
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  const FakeDriverSettings told("ecc=5", "FAKE_ROCM_SMI");
  ASSERT_TRUE((*rocm_smi)->ReadSensors(*inventory).ok());
  EXPECT_EQ(inventory->gpus[0].ecc.volatile_uncorrected, 5U);
  EXPECT_EQ(inventory->gpus[1].ecc.volatile_uncorrected, 0U);
}

}  // namespace
}  // namespace ashlar::node
