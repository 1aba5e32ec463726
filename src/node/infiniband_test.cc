#include "node/infiniband.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

bool IsUnknown(const Unknowns& unknowns, std::string_view field) {
  for (const Unknown& unknown : unknowns) {
    if (unknown.field == field) return true;
  }
  return false;
}

// Texts as in Linux Documentation/ABI/stable/sysfs-class-infiniband.
TEST(ParseRdmaStateTest, ReadsNumberAndName) {
  const auto active = ParseRdmaState("4: ACTIVE\n");
  ASSERT_TRUE(active.ok()) << active.status();
  EXPECT_EQ(active->number, 4U);
  EXPECT_EQ(active->name, "ACTIVE");
  EXPECT_EQ(ParseRdmaState("5: LinkUp")->name, "LinkUp");
  EXPECT_EQ(ParseRdmaState("0: <unknown>")->name, "<unknown>");
}

TEST(ParseRdmaStateTest, RefusesWhatIsMalformed) {
  for (const std::string_view text :
       {"", "4", "ACTIVE", ": ACTIVE", "4:", "x: ACTIVE", "-1: X", "16: X", "4: A\nB", "99999999999999999999: X"}) {
    EXPECT_EQ(ParseRdmaState(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseRdmaRateTest, ReadsGigabits) {
  EXPECT_EQ(*ParseRdmaRate("400 Gb/sec (4X NDR)\n"), 4e11);
  EXPECT_EQ(*ParseRdmaRate("2.5 Gb/sec (1X SDR)"), 2.5e9);
  EXPECT_EQ(*ParseRdmaRate("100 Gb/sec"), 1e11);
}

TEST(ParseRdmaRateTest, RefusesWhatIsMalformed) {
  for (const std::string_view text :
       {"", "400", "400 GB/sec", "x Gb/sec", "-1 Gb/sec", "nan Gb/sec", "1e300 Gb/sec", "Gb/sec 400"}) {
    EXPECT_EQ(ParseRdmaRate(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ReadRdmaDevicesTest, AMachineWithoutRdmaHasNone) {
  const auto devices = ReadRdmaDevices(PlainMachine().reader());
  ASSERT_TRUE(devices.ok()) << devices.status();
  EXPECT_TRUE(devices->empty());
}

TEST(ReadRdmaDevicesTest, ReadsEightPorts) {
  const FakeTree tree = NdH100Machine();
  const auto devices = ReadRdmaDevices(tree.reader());
  ASSERT_TRUE(devices.ok()) << devices.status();
  ASSERT_EQ(devices->size(), 8U);
  const RdmaDevice& device = devices->back();
  EXPECT_EQ(device.name, "mlx5_ib7");
  EXPECT_EQ(device.firmware_version, "28.37.1014");
  EXPECT_EQ(device.numa_node, 1);
  EXPECT_EQ(device.interfaces, std::vector<std::string>{"ib7"});
  EXPECT_TRUE(device.unknowns.empty());
  ASSERT_EQ(device.ports.size(), 1U);
  const RdmaPort& port = device.ports[0];
  EXPECT_TRUE(port.unknowns.empty()) << port.unknowns.front().field;
  EXPECT_EQ(port.state->number, 4U);
  EXPECT_EQ(port.physical_state->name, "LinkUp");
  EXPECT_EQ(port.rate_bits_per_second, 4e11);
  EXPECT_EQ(port.link_layer, "InfiniBand");
  EXPECT_EQ(port.counters.at("port_rcv_data"), 250000U);
  EXPECT_EQ(port.counters.at("out_of_sequence"), 0U);
  EXPECT_FALSE(port.counters.contains("lifespan"));
}

TEST(ReadRdmaDevicesTest, WhatCannotBeReadIsAbsentWithItsReason) {
  FakeTree tree = HbMachine();
  const std::string port_path = "/sys/class/infiniband/mlx5_ib0/ports/1";
  tree.Write(port_path + "/state", "ACTIVE\n");
  tree.Remove(port_path + "/phys_state");
  tree.Write(port_path + "/rate", "fast\n");
  tree.Write(port_path + "/link_layer", "\n");
  tree.Write(port_path + "/counters/symbol_error", "N/A (not available)\n");
  tree.Remove("/sys/class/infiniband/mlx5_ib0/fw_ver");
  const auto devices = ReadRdmaDevices(tree.reader());
  ASSERT_TRUE(devices.ok()) << devices.status();
  const RdmaDevice& device = devices->front();
  EXPECT_TRUE(IsUnknown(device.unknowns, "firmware_version"));
  const RdmaPort& port = device.ports.front();
  EXPECT_FALSE(port.state || port.physical_state || port.rate_bits_per_second || port.link_layer);
  for (const std::string_view field :
       {"state", "physical_state", "rate_bits_per_second", "link_layer", "counters.symbol_error"}) {
    EXPECT_TRUE(IsUnknown(port.unknowns, field)) << field;
  }
  EXPECT_FALSE(port.counters.contains("symbol_error"));
  EXPECT_TRUE(port.counters.contains("link_downed"));
}

TEST(ReadRdmaDevicesTest, APortThatIsNoNumberIsNotRead) {
  FakeTree tree = HbMachine();
  tree.MakeDirectory("/sys/class/infiniband/mlx5_ib0/ports/one");
  const auto devices = ReadRdmaDevices(tree.reader());
  ASSERT_TRUE(devices.ok()) << devices.status();
  EXPECT_EQ(devices->front().ports.size(), 1U);
  EXPECT_TRUE(IsUnknown(devices->front().unknowns, "ports"));
}

TEST(ReadRdmaDevicesTest, HoldsItsLimits) {
  FakeTree tree;
  for (size_t device = 0; device < kMaxRdmaDevices; ++device) {
    tree.MakeDirectory(fmt::format("/sys/class/infiniband/mlx5_{}", device));
  }
  EXPECT_TRUE(ReadRdmaDevices(tree.reader()).ok());
  tree.MakeDirectory("/sys/class/infiniband/one_more");
  EXPECT_EQ(ReadRdmaDevices(tree.reader()).status().code(), base::StatusCode::kResourceExhausted);

  FakeTree counters = HbMachine();
  const std::string folder = "/sys/class/infiniband/mlx5_ib0/ports/1/counters";
  counters.Remove(folder);
  for (size_t counter = 0; counter < kMaxRdmaCounters; ++counter) {
    counters.Write(fmt::format("{}/c{:04}", folder, counter), "1\n");
  }
  counters.Remove("/sys/class/infiniband/mlx5_ib0/ports/1/hw_counters");
  EXPECT_TRUE(ReadRdmaDevices(counters.reader())->front().ports.front().unknowns.empty());
  counters.Write(folder + "/one_more", "1\n");
  const auto devices = ReadRdmaDevices(counters.reader());
  EXPECT_EQ(devices->front().ports.front().counters.size(), kMaxRdmaCounters);
  EXPECT_TRUE(IsUnknown(devices->front().ports.front().unknowns, "counters"));
}

TEST(RdmaJsonTest, ACounterBeyondExactIntegersStaysANumberThatALedgerTakes) {
  RdmaDevice device;
  device.ports.emplace_back();
  device.ports[0].counters = {{"exact", 9'007'199'254'740'992},
                              {"beyond", 18'446'744'073'709'551'615U}};  // 2^53, 2^64-1
  const base::Json json = RdmaDeviceToJson(device);
  EXPECT_EQ(json.at("ports").at(0).at("counters").at("exact"), 9'007'199'254'740'992);
  EXPECT_EQ(json.at("ports").at(0).at("counters").at("beyond"), 18446744073709551616.0);
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

TEST(RdmaJsonTest, HasWhatWasReadAndNullForTheRest) {
  const FakeTree tree = HbMachine();
  base::Json json = RdmaDeviceToJson(ReadRdmaDevices(tree.reader())->front());
  EXPECT_EQ(json.at("name"), "mlx5_ib0");
  EXPECT_EQ(json.at("ports").at(0).at("state"), "ACTIVE");
  EXPECT_EQ(json.at("ports").at(0).at("rate_bits_per_second"), 4e11);
  EXPECT_EQ(json.at("ports").at(0).at("counters").at("link_downed"), 0);
  RdmaDevice empty;
  empty.ports.emplace_back();
  json = RdmaDeviceToJson(empty);
  EXPECT_TRUE(json.at("node_guid").is_null());
  EXPECT_TRUE(json.at("ports").at(0).at("state").is_null());
}

}  // namespace
}  // namespace ashlar::node
