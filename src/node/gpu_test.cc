#include "node/gpu.h"

#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"

namespace ashlar::node {
namespace {

// Bits as fleet tools list them: 0x1 idle, 0x4 software power cap, 0x8 hardware slowdown, 0x80 power brake.
TEST(ThrottleReasonNamesTest, NamesEachBit) {
  EXPECT_TRUE(ThrottleReasonNames(0).empty());
  EXPECT_EQ(ThrottleReasonNames(0x1 | 0x4), (std::vector<std::string>{"idle", "software_power_cap"}));
  EXPECT_EQ(ThrottleReasonNames(0x8 | 0x80), (std::vector<std::string>{"hardware_slowdown", "power_brake"}));
  EXPECT_EQ(ThrottleReasonNames(0x100), (std::vector<std::string>{"display_clocks"}));
  EXPECT_EQ(ThrottleReasonNames(0x200), (std::vector<std::string>{"bit_9"})) << "a bit of a newer driver";
}

TEST(GpuVendorNameTest, HasAName) {
  EXPECT_EQ(GpuVendorName(GpuVendor::kNvidia), "nvidia");
  EXPECT_EQ(GpuVendorName(GpuVendor::kAmd), "amd");
}

TEST(GpuJsonTest, AbsentIsNull) {
  Gpu gpu;
  gpu.index = 3;
  gpu.handle = base::Error(base::StatusCode::kUnavailable, "lost");
  const base::Json json = GpuToJson(gpu);
  EXPECT_EQ(json.at("index"), 3);
  EXPECT_EQ(json.at("reachable"), false);
  for (const std::string_view field : {"uuid", "name", "power_watts", "throttle_reasons", "links", "remapped_rows"}) {
    EXPECT_TRUE(json.at(field).is_null()) << field;
  }
  EXPECT_TRUE(base::FindPath(json, "ecc.volatile_corrected")->is_null());
}

TEST(GpuJsonTest, HasWhatWasRead) {
  const FakeDriverSettings told("gpus=2,throttle=0x8,links=2");
  const auto inventory = ReadGpus(GpuVendor::kNvidia, FakeGpuSources());
  ASSERT_TRUE(inventory.ok()) << inventory.status();
  const base::Json json = GpuInventoryToJson(*inventory);
  EXPECT_EQ(json.at("vendor"), "nvidia");
  EXPECT_EQ(json.at("driver_version"), "550.90.07");
  ASSERT_EQ(json.at("gpus").as_array().size(), 2U);
  const base::Json& gpu = json.at("gpus").at(0);
  EXPECT_EQ(gpu.at("name"), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpu.at("throttle_reasons").at(0), "hardware_slowdown");
  EXPECT_EQ(gpu.at("links").at(1).at("active"), true);
  EXPECT_EQ(gpu.at("clocks").at("sm_mhz"), 1980);
  EXPECT_EQ(gpu.at("remapped_rows").at("corrected"), 2);
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

}  // namespace
}  // namespace ashlar::node
