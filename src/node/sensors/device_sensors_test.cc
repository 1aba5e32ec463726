#include <gtest/gtest.h>

#include <cmath>

#include "node/fake_tree_testing.h"
#include "node/limits.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

TEST(DiskSensorTest, MillisecondsOfDisksWrapAt32Bits) {
  SampledMachine machine(PlainMachine());
  const auto write = [&](uint64_t milliseconds) {
    machine.tree.Write("/proc/diskstats", fmt::format("254 0 vda 1 0 8 {} 1 0 8 1 0 1 1\n", milliseconds));
  };
  write(4'294'967'000);
  Sampler sampler(machine.sources);
  sampler.Take();
  write(204);  // 500 ms later: 4,294,967,296 - 4,294,967,000 + 204
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_DOUBLE_EQ(RateOf(sampler.Take(), "node_disk_read_time_seconds_total", R"(device="vda")"), 0.5);
}

TEST(DiskSensorTest, MoreDevicesThanTheLimitAreRefusedAndTheFirstOnesStay) {
  SampledMachine machine(PlainMachine());
  std::string text;
  for (size_t disk = 0; disk < kMaxDisks; ++disk) text += fmt::format("253 0 dm-{} 1 0 8 1 1 0 8 1 0 1 1\n", disk);
  machine.tree.Write("/proc/diskstats", text);
  Sampler sampler(machine.sources);
  EXPECT_TRUE(SourceOf(sampler.Take(), "diskstats").status.ok());
  machine.tree.Write("/proc/diskstats", text + "8 0 sda 1 0 8 1 1 0 8 1 0 1 1\n");
  const Sample& sample = sampler.Take();
  EXPECT_EQ(SourceOf(sample, "diskstats").status.code(), base::StatusCode::kResourceExhausted);
  EXPECT_EQ(ValueOf(sample, "node_disk_reads_completed_total", R"(device="dm-7")"), 1);
  EXPECT_FALSE(HasSeries(sample, "node_disk_reads_completed_total", R"(device="sda")"));
}

TEST(NetworkSensorTest, AnInterfaceThatGoesAndComesBackKeepsItsPlace) {
  SampledMachine machine(NdH100Machine());
  const auto whole = machine.tree.reader().Read("/proc/net/dev");
  ASSERT_TRUE(whole.ok()) << whole.status();
  const size_t last_line = whole->rfind('\n', whole->size() - 2) + 1;  // the virtual function's
  constexpr std::string_view kName = "node_network_receive_bytes_total";
  constexpr std::string_view kLabels = R"(device="enP30832s1")";
  Sampler sampler(machine.sources);
  EXPECT_EQ(ValueOf(sampler.Take(), kName, kLabels), 150000);
  machine.tree.Write("/proc/net/dev", whole->substr(0, last_line));
  machine.clock.Advance(absl::Seconds(1));
  const Sample& gone = sampler.Take();
  EXPECT_TRUE(SourceOf(gone, "netdev").status.ok());
  EXPECT_TRUE(std::isnan(ValueOf(gone, kName, kLabels)));
  EXPECT_EQ(ValueOf(gone, kName, R"(device="eth0")"), 150000);
  machine.tree.Write("/proc/net/dev", *whole);
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_EQ(RateOf(sampler.Take(), kName, kLabels), 0) << "over the 2 s that it was away";
}

}  // namespace
}  // namespace ashlar::node
