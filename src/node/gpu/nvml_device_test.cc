#include "node/gpu/nvml_device.h"

#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"
#include "node/gpu/gpu_library.h"

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

TEST(NvmlDeviceTest, WhatIsNotSupportedIsAbsentWithItsReason) {
  const auto inventory = Read("gpus=1,unsupported=1");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  const Gpu& gpu = inventory->gpus[0];
  EXPECT_TRUE(gpu.name.has_value()) << "names are supported everywhere";
  EXPECT_EQ(gpu.power_watts, std::nullopt);
  EXPECT_EQ(gpu.ecc.enabled, std::nullopt);
  EXPECT_EQ(gpu.remapped_rows, std::nullopt);
  for (const std::string_view field :
       {"power_watts", "ecc.enabled", "ecc.volatile_corrected", "clocks.sm_mhz", "maximum_clocks.memory_mhz",
        "application_clocks.sm_mhz", "throttle_reasons", "persistence", "temperature_celsius", "utilization_percent",
        "energy_joules", "pcie_replays", "remapped_rows", "power_limit_watts"}) {
    EXPECT_TRUE(IsUnknown(gpu.unknowns, field, "not supported")) << field;
  }
  EXPECT_TRUE(gpu.links.has_value() && gpu.links->empty()) << "a GPU without links says `not supported`";
}

TEST(NvmlDeviceTest, SentinelsAndImpossibleValuesAreDropped) {
  const auto inventory = Read("gpus=1,garbage=1");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  EXPECT_EQ(inventory->driver_version, std::nullopt);
  const Gpu& gpu = inventory->gpus[0];
  for (const std::string_view field : {"name",
                                       "uuid",
                                       "pci_bus_id",
                                       "memory_total_bytes",
                                       "clocks.sm_mhz",
                                       "maximum_clocks.sm_mhz",
                                       "application_clocks.memory_mhz",
                                       "throttle_reasons",
                                       "power_watts",
                                       "power_limit_watts",
                                       "temperature_celsius",
                                       "utilization_percent",
                                       "energy_joules",
                                       "pcie_replays",
                                       "persistence",
                                       "ecc.enabled",
                                       "ecc.volatile_corrected",
                                       "ecc.aggregate_uncorrected",
                                       "remapped_rows",
                                       "links"}) {
    EXPECT_TRUE(IsUnknown(gpu.unknowns, field, "cannot be")) << field;
  }
  EXPECT_EQ(gpu.name, std::nullopt);
  EXPECT_EQ(gpu.memory_total_bytes, std::nullopt);
  EXPECT_EQ(gpu.memory_used_bytes, std::nullopt);
  EXPECT_EQ(gpu.power_watts, std::nullopt);
  EXPECT_EQ(gpu.persistence, std::nullopt);
}

TEST(NvmlDeviceTest, AFunctionThatTheLibraryLacksMakesItsFieldUnknown) {
  const auto inventory = Read("gpus=1", FakeBareNvmlPath());
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  const Gpu& gpu = inventory->gpus[0];
  EXPECT_TRUE(IsUnknown(gpu.unknowns, "application_clocks.sm_mhz", "does not have it"));
  EXPECT_EQ(gpu.unknowns.size(), 2U) << "both application clocks, and nothing else";
  EXPECT_EQ(gpu.power_watts, 71.5);
}

TEST(NvmlDeviceTest, LinksEndWhereTheGpuSaysSo) {
  const auto inventory = Read("gpus=2,links=12,down_link=4");
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  ASSERT_EQ(inventory->gpus[0].links->size(), 12U);
  EXPECT_FALSE(inventory->gpus[0].links->at(4).active);
  EXPECT_TRUE(inventory->gpus[0].links->at(5).active);
  EXPECT_TRUE(inventory->gpus[1].links->at(4).active);
}

}  // namespace
}  // namespace ashlar::node
