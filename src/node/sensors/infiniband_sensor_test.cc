#include <gtest/gtest.h>

#include <cmath>

#include "node/fake_tree_testing.h"
#include "node/limits.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

TEST(InfiniBandSensorTest, AResetOfACounterIsNoSpike) {
  SampledMachine machine(HbMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  const std::string counter = "/sys/class/infiniband/mlx5_ib0/ports/1/counters/port_rcv_data";
  machine.tree.Write(counter, "10\n");
  machine.clock.Advance(absl::Seconds(1));
  constexpr std::string_view kName = "node_infiniband_port_data_received_bytes_total";
  constexpr std::string_view kLabels = R"(device="mlx5_ib0",port="1")";
  EXPECT_TRUE(std::isnan(RateOf(sampler.Take(), kName, kLabels)));
  machine.tree.Write(counter, "20\n");
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_EQ(RateOf(sampler.Take(), kName, kLabels), 40) << "10 words in 1 s";
}

TEST(InfiniBandSensorTest, APortThatIsDownIsShownAsSuch) {
  SampledMachine machine(HbMachine());
  const std::string port = "/sys/class/infiniband/mlx5_ib0/ports/1";
  machine.tree.Write(port + "/state", "1: DOWN\n");
  machine.tree.Write(port + "/phys_state", "2: Polling\n");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(ValueOf(sample, "node_infiniband_state_id", R"(device="mlx5_ib0",port="1")"), 1);
  EXPECT_EQ(ValueOf(sample, "node_infiniband_physical_state_id", R"(device="mlx5_ib0",port="1")"), 2);
}

TEST(InfiniBandSensorTest, ACounterThatTheDriverLacksIsAbsentAndNoFailure) {
  SampledMachine machine(HbMachine());
  machine.tree.Remove("/sys/class/infiniband/mlx5_ib0/ports/1/counters/port_xmit_wait");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "infiniband").status.ok());
  EXPECT_TRUE(std::isnan(ValueOf(sample, "node_infiniband_port_transmit_wait_total", R"(device="mlx5_ib0",port="1")")));
}

TEST(InfiniBandSensorTest, ADeviceThatComesIsSeenAfterTheRescan) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  EXPECT_EQ(SourceOf(sampler.Take(), "infiniband").status.code(), base::StatusCode::kNotFound);
  const std::string port = "/sys/class/infiniband/mlx5_0/ports/1";
  machine.tree.Write(port + "/state", "4: ACTIVE\n");
  machine.tree.Write(port + "/phys_state", "5: LinkUp\n");
  machine.tree.Write(port + "/rate", "200 Gb/sec (4X HDR)\n");
  constexpr std::string_view kName = "node_infiniband_rate_bytes_per_second";
  machine.clock.Advance(kDeviceRescan - absl::Milliseconds(1));
  EXPECT_FALSE(HasSeries(sampler.Take(), kName, R"(device="mlx5_0",port="1")"));
  machine.clock.Advance(absl::Milliseconds(1));
  EXPECT_EQ(ValueOf(sampler.Take(), kName, R"(device="mlx5_0",port="1")"), 25e9) << "200 Gb/s";
}

TEST(InfiniBandSensorTest, HoldsItsLimit) {
  SampledMachine machine(PlainMachine());
  const auto add = [&](size_t port) {
    const std::string path = fmt::format("/sys/class/infiniband/mlx5_0/ports/{}", port);
    machine.tree.Write(path + "/state", "4: ACTIVE\n");
    machine.tree.Write(path + "/phys_state", "5: LinkUp\n");
    machine.tree.Write(path + "/rate", "200 Gb/sec (4X HDR)\n");
  };
  for (size_t port = 1; port <= kMaxWatchedRdmaPorts; ++port) add(port);
  Sampler sampler(machine.sources);
  EXPECT_TRUE(SourceOf(sampler.Take(), "infiniband").status.ok());
  add(kMaxWatchedRdmaPorts + 1);
  machine.clock.Advance(kDeviceRescan);
  EXPECT_EQ(SourceOf(sampler.Take(), "infiniband").status.code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
