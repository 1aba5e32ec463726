#include "node/sensors.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>

#include "node/fake_driver_testing.h"
#include "node/fake_tree_testing.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);  // ends a broken test, and is never waited for otherwise

// The numbers are those of fake_machines_testing.cc; the names are node_exporter's.
TEST(SamplerTest, ReadsEverySource) {
  SampledMachine machine(NdH100Machine());
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(sample.time, machine.clock.Now());
  EXPECT_EQ(ValueOf(sample, "node_cpu_seconds_total", R"(cpu="95",mode="idle")"), 20) << "2000 ticks of 1/100 s";
  EXPECT_EQ(ValueOf(sample, "node_cpu_seconds_total", R"(cpu="0",mode="steal")"), 0.04);
  EXPECT_EQ(ValueOf(sample, "node_context_switches_total"), 500000);
  EXPECT_EQ(ValueOf(sample, "node_boot_time_seconds"), 1760000000);
  EXPECT_EQ(ValueOf(sample, "node_load1"), 0.5);
  EXPECT_EQ(ValueOf(sample, "node_pressure_cpu_waiting_seconds_total"), 3);
  EXPECT_EQ(ValueOf(sample, "node_pressure_memory_stalled_seconds_total"), 1);
  EXPECT_EQ(ValueOf(sample, "node_memory_MemTotal_bytes"), 2'040'109'465'600.0);
  EXPECT_EQ(ValueOf(sample, "node_memory_Active_anon_bytes"), 524288);
  EXPECT_EQ(ValueOf(sample, "node_memory_HugePages_Total"), 0);
  EXPECT_EQ(ValueOf(sample, "node_disk_read_bytes_total", R"(device="nvme7n1")"), 40'960'000);  // 80,000 sectors of 512
  EXPECT_DOUBLE_EQ(ValueOf(sample, "node_disk_io_time_seconds_total", R"(device="sda")"), 0.7);
  EXPECT_EQ(FindSeries(sample, "node_disk_io_now", R"(device="sda1")"), nullptr) << "a partition";
  EXPECT_EQ(ValueOf(sample, "node_network_receive_bytes_total", R"(device="enP30832s1")"), 150000);
  EXPECT_EQ(ValueOf(sample, "node_network_transmit_packets_total", R"(device="lo")"), 900);
  EXPECT_EQ(ValueOf(sample, "node_filesystem_avail_bytes", R"(device="/dev/sda1",fstype="ext4",mountpoint="/")"), 500);
  EXPECT_EQ(ValueOf(sample, "node_filesystem_files_free", R"(device="tmpfs",fstype="tmpfs",mountpoint="/run")"), 40);
  EXPECT_EQ(ValueOf(sample, "node_infiniband_port_data_received_bytes_total", R"(device="mlx5_ib7",port="1")"), 1e6)
      << "250,000 words of 4 bytes";
  EXPECT_EQ(ValueOf(sample, "node_infiniband_state_id", R"(device="mlx5_ib0",port="1")"), 4);
  EXPECT_EQ(ValueOf(sample, "node_infiniband_rate_bytes_per_second", R"(device="mlx5_ib0",port="1")"), 5e10);
  for (const SourceSample& source : sample.sources) {
    if (!source.name.starts_with("gpu")) {
      EXPECT_TRUE(source.status.ok()) << source.name << ": " << source.status;
    }
  }
}

TEST(SamplerTest, AFailingSourceIsAbsentAndTheOthersGoOn) {
  struct Row {
    std::string path;
    std::string_view source;
    std::string_view series;
    std::string_view labels;
  };
  const Row rows[] = {
      {"/proc/stat", "cpu", "node_cpu_seconds_total", R"(cpu="0",mode="user")"},
      {"/proc/loadavg", "loadavg", "node_load1", ""},
      {"/proc/pressure/io", "pressure", "node_pressure_io_waiting_seconds_total", ""},
      {"/proc/meminfo", "meminfo", "node_memory_MemTotal_bytes", ""},
      {"/proc/diskstats", "diskstats", "node_disk_io_now", R"(device="sda")"},
      {"/proc/net/dev", "netdev", "node_network_receive_bytes_total", R"(device="eth0")"},
      {"/sys/class/infiniband/mlx5_ib0/ports/1/state", "infiniband", "node_infiniband_state_id",
       R"(device="mlx5_ib0",port="1")"},
  };
  for (const Row& row : rows) {
    for (const bool removed : {false, true}) {
      SampledMachine machine(HbMachine());
      Sampler sampler(machine.sources);
      EXPECT_FALSE(std::isnan(ValueOf(sampler.Take(), row.series, row.labels))) << row.path;
      // A held file of sysfs cannot vanish without an error; in a plain folder it can, so it is only made malformed.
      if (removed && row.source != "infiniband")
        machine.tree.Remove(row.path);
      else
        machine.tree.Write(row.path, "\xff garbage\n");
      machine.clock.Advance(absl::Seconds(1));
      const Sample& sample = sampler.Take();
      EXPECT_TRUE(std::isnan(ValueOf(sample, row.series, row.labels))) << row.path;
      for (const SourceSample& source : sample.sources) {
        if (source.name.starts_with("gpu")) continue;
        EXPECT_EQ(source.status.ok(), source.name != row.source) << row.path << " " << source.name;
      }
    }
  }
}

TEST(SamplerTest, AnEmptyMachineGivesReasonsOnly) {
  SampledMachine machine{FakeTree()};
  Sampler sampler(machine.sources);
  for (const SourceSample& source : sampler.Take().sources) {
    EXPECT_FALSE(source.status.ok()) << source.name;
    EXPECT_FALSE(source.status.message().empty()) << source.name;
  }
}

TEST(SamplerTest, SamplesAllocateNothingThatStays) {
  SampledMachine machine(NdH100Machine());
  Sampler sampler(machine.sources);
  std::string text;
  const auto sample_many = [&](int samples) {
    for (int at = 0; at < samples; ++at) {
      machine.clock.Advance(absl::Seconds(1));
      sampler.Take();
    }
    EXPECT_TRUE(sampler.WaitForGpus(kLong));
  };
  sample_many(100);
  const size_t before = mallinfo2().uordblks;
  sample_many(500);
  // The threads that look for GPU libraries once a minute keep errors of a few hundred bytes between them.
  EXPECT_LE(mallinfo2().uordblks, before + 4096);
}

}  // namespace
}  // namespace ashlar::node
