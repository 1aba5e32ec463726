#include "node/network_interface.h"

#include <gtest/gtest.h>

#include "node/fake_tree_testing.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

const Nic& Find(const std::vector<Nic>& nics, std::string_view name) {
  for (const Nic& nic : nics) {
    if (nic.name == name) return nic;
  }
  ADD_FAILURE() << "no interface " << name;
  return nics.front();
}

bool IsUnknown(const Nic& nic, std::string_view field) {
  for (const Unknown& unknown : nic.unknowns) {
    if (unknown.field == field) return true;
  }
  return false;
}

// hv_netvsc's statistics as `ethtool -S` shows them.
NicStatisticsReader Statistics(uint64_t received, uint64_t sent) {
  return [=](const std::string& interface) -> base::StatusOr<NicStatistics> {
    if (interface != "eth0") return base::Error(base::StatusCode::kUnimplemented, "none");
    return NicStatistics{{"vf_rx_packets", received}, {"vf_tx_packets", sent}, {"tx_scattered", 1}};
  };
}

TEST(ReadNicsTest, PairsAcceleratedNetworkingByItsAddress) {
  const auto nics = ReadNics(NdH100Machine().reader(), Statistics(100, 50));
  ASSERT_TRUE(nics.ok()) << nics.status();
  ASSERT_EQ(nics->size(), 3U);
  const Nic& synthetic = Find(*nics, "eth0");
  EXPECT_EQ(synthetic.driver, "hv_netvsc");
  EXPECT_EQ(synthetic.virtual_function, "enP30832s1");
  EXPECT_EQ(synthetic.carries_traffic, true);
  EXPECT_FALSE(synthetic.is_virtual_function);
  const Nic& function = Find(*nics, "enP30832s1");
  EXPECT_EQ(function.driver, "mlx5_core");
  EXPECT_EQ(function.synthetic, "eth0");
  EXPECT_TRUE(function.is_virtual_function);
  EXPECT_TRUE(function.is_slave);
  EXPECT_EQ(function.carries_traffic, true);
  EXPECT_EQ(function.speed_bits_per_second, 100'000'000'000U);
  EXPECT_EQ(function.mtu_bytes, 1500U);
  EXPECT_EQ(function.state, "up");
  EXPECT_EQ(function.carrier, true);
  EXPECT_TRUE(function.unknowns.empty());
}

TEST(ReadNicsTest, AFunctionWithoutPacketsCarriesNothing) {
  const auto nics = ReadNics(NdH100Machine().reader(), Statistics(0, 0));
  EXPECT_EQ(Find(*nics, "eth0").carries_traffic, false);
}

TEST(ReadNicsTest, AsksTheFunctionsOwnCountersWithoutADriversStatistics) {
  FakeTree tree = NdH100Machine();
  EXPECT_EQ(Find(*ReadNics(tree.reader(), nullptr), "eth0").carries_traffic, true) << "1000 and 900 packets";
  tree.Write("/sys/class/net/enP30832s1/statistics/rx_packets", "0\n");
  tree.Write("/sys/class/net/enP30832s1/statistics/tx_packets", "0\n");
  EXPECT_EQ(Find(*ReadNics(tree.reader(), nullptr), "eth0").carries_traffic, false);
  tree.Write("/sys/class/net/enP30832s1/statistics/tx_packets", "some\n");
  const auto nics = ReadNics(tree.reader(), nullptr);
  EXPECT_EQ(Find(*nics, "eth0").carries_traffic, std::nullopt);
  EXPECT_TRUE(IsUnknown(Find(*nics, "eth0"), "carries_traffic"));
}

TEST(ReadNicsTest, ASyntheticInterfaceAloneHasNoPair) {
  FakeTree tree = NdH100Machine();
  tree.Remove("/sys/class/net/enP30832s1");
  const auto nics = ReadNics(tree.reader(), Statistics(100, 50));
  EXPECT_EQ(Find(*nics, "eth0").virtual_function, std::nullopt);
  EXPECT_EQ(Find(*nics, "eth0").carries_traffic, std::nullopt);
}

TEST(ReadNicsTest, AnotherAddressOrNoSlaveIsNoPair) {
  FakeTree tree = NdH100Machine();
  tree.Write("/sys/class/net/enP30832s1/flags", "0x1043\n");
  EXPECT_EQ(Find(*ReadNics(tree.reader(), nullptr), "eth0").virtual_function, std::nullopt);
  tree.Write("/sys/class/net/enP30832s1/flags", "0x1843\n");
  tree.Write("/sys/class/net/enP30832s1/address", "00:0d:3a:11:22:34\n");
  EXPECT_EQ(Find(*ReadNics(tree.reader(), nullptr), "eth0").virtual_function, std::nullopt);
}

TEST(ReadNicsTest, KnowsAPciVirtualFunction) {
  FakeTree tree = PlainMachine();
  tree.MakeDirectory("/sys/class/net/eth0/device/physfn");
  EXPECT_TRUE(Find(*ReadNics(tree.reader(), nullptr), "eth0").is_virtual_function);
}

TEST(ReadNicsTest, WhatCannotBeReadIsAbsentWithItsReason) {
  FakeTree tree = PlainMachine();
  tree.Write("/sys/class/net/eth0/operstate", "\n");
  tree.Write("/sys/class/net/eth0/address", "52:54:00:12:34:5\n");
  tree.Write("/sys/class/net/eth0/mtu", "0\n");
  tree.Write("/sys/class/net/eth0/flags", "flags\n");
  tree.Write("/sys/class/net/eth0/carrier", "2\n");
  tree.Remove("/sys/class/net/eth0/device/driver");
  tree.MakeDirectory("/sys/class/net/eth0/device");
  // The interface stays listed: operstate is there, and empty.
  const auto nics = ReadNics(tree.reader(), nullptr);
  ASSERT_TRUE(nics.ok()) << nics.status();
  const Nic& nic = Find(*nics, "eth0");
  for (const std::string_view field : {"state", "mac", "mtu_bytes", "flags", "carrier", "driver"}) {
    EXPECT_TRUE(IsUnknown(nic, field)) << field;
  }
  EXPECT_FALSE(nic.state || nic.mac || nic.mtu_bytes || nic.carrier || nic.driver);
}

TEST(ReadNicsTest, ASpeedThatTheDriverDoesNotKnowIsUnknown) {
  const auto nics = ReadNics(PlainMachine().reader(), nullptr);  // virtio says -1
  const Nic& nic = Find(*nics, "eth0");
  EXPECT_EQ(nic.speed_bits_per_second, std::nullopt);
  EXPECT_TRUE(IsUnknown(nic, "speed_bits_per_second"));
  EXPECT_TRUE(Find(*nics, "lo").unknowns.empty()) << "a software interface has none to know";
}

TEST(ReadNicsTest, AnInterfaceThatIsDownHasNoCarrierToAskFor) {
  FakeTree tree = PlainMachine();
  tree.Write("/sys/class/net/eth0/operstate", "down\n");
  tree.Remove("/sys/class/net/eth0/carrier");
  const auto nics = ReadNics(tree.reader(), nullptr);
  EXPECT_EQ(Find(*nics, "eth0").carrier, std::nullopt);
  EXPECT_TRUE(Find(*nics, "eth0").unknowns.empty());
}

TEST(ReadNicsTest, PlainFilesAreNoInterfaces) {
  FakeTree tree = PlainMachine();
  tree.Write("/sys/class/net/bonding_masters", "bond0\n");
  EXPECT_EQ(ReadNics(tree.reader(), nullptr)->size(), 2U);
}

TEST(ReadNicsTest, NoListIsAnErrorAndTooManyAreRefused) {
  FakeTree tree;
  EXPECT_EQ(ReadNics(tree.reader(), nullptr).status().code(), base::StatusCode::kNotFound);
  for (size_t nic = 0; nic <= kMaxNics; ++nic) tree.MakeDirectory(fmt::format("/sys/class/net/n{}", nic));
  EXPECT_EQ(ReadNics(tree.reader(), nullptr).status().code(), base::StatusCode::kResourceExhausted);
  tree.Remove("/sys/class/net/n0");
  EXPECT_TRUE(ReadNics(tree.reader(), nullptr).ok());
}

TEST(NicJsonTest, HasWhatWasReadAndNullForTheRest) {
  const auto nics = ReadNics(NdH100Machine().reader(), Statistics(1, 1));
  const base::Json json = NicToJson(Find(*nics, "enP30832s1"));
  EXPECT_EQ(json.at("driver"), "mlx5_core");
  EXPECT_EQ(json.at("carries_traffic"), true);
  EXPECT_EQ(json.at("speed_bits_per_second"), 100'000'000'000U);
  EXPECT_TRUE(NicToJson(Nic{}).at("mac").is_null());
}

}  // namespace
}  // namespace ashlar::node
