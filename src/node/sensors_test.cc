#include "node/sensors.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>

#include "node/fake_driver_testing.h"
#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);  // ends a broken test, and is never waited for otherwise

base::StatusOr<FilesystemSpace> FakeSpace(const std::string&) { return FilesystemSpace{1000, 600, 500, 100, 40}; }

// A machine whose clock moves by hand.
struct Machine {
  explicit Machine(FakeTree given) : tree(std::move(given)) {
    sources.system = tree.reader();
    sources.gpus = NoGpuSources();
    sources.space = FakeSpace;
    sources.clock = &clock;
  }

  FakeTree tree;
  base::FakeClock clock{absl::FromUnixSeconds(1'760'000'500)};
  SamplerSources sources;
};

const SourceSample& SourceOf(const Sample& sample, std::string_view name) {
  for (const SourceSample& source : sample.sources) {
    if (source.name == name) return source;
  }
  ADD_FAILURE() << "no source " << name;
  return sample.sources.front();
}

double Value(const Sample& sample, std::string_view name, std::string_view labels = "") {
  const Series* series = FindSeries(sample, name, labels);
  EXPECT_NE(series, nullptr) << name << "{" << labels << "}";
  return series == nullptr ? kAbsent : series->value;
}

double Rate(const Sample& sample, std::string_view name, std::string_view labels = "") {
  const Series* series = FindSeries(sample, name, labels);
  EXPECT_NE(series, nullptr) << name << "{" << labels << "}";
  return series == nullptr ? kAbsent : series->rate;
}

// The numbers are those of fake_machines_testing.cc; the names are node_exporter's.
TEST(SamplerTest, ReadsEverySource) {
  Machine machine(NdH100Machine());
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(sample.time, machine.clock.Now());
  EXPECT_EQ(Value(sample, "node_cpu_seconds_total", R"(cpu="95",mode="idle")"), 20) << "2000 ticks of 1/100 s";
  EXPECT_EQ(Value(sample, "node_cpu_seconds_total", R"(cpu="0",mode="steal")"), 0.04);
  EXPECT_EQ(Value(sample, "node_context_switches_total"), 500000);
  EXPECT_EQ(Value(sample, "node_boot_time_seconds"), 1760000000);
  EXPECT_EQ(Value(sample, "node_load1"), 0.5);
  EXPECT_EQ(Value(sample, "node_pressure_cpu_waiting_seconds_total"), 3);
  EXPECT_EQ(Value(sample, "node_pressure_memory_stalled_seconds_total"), 1);
  EXPECT_EQ(Value(sample, "node_memory_MemTotal_bytes"), 2'040'109'465'600.0);
  EXPECT_EQ(Value(sample, "node_memory_Active_anon_bytes"), 524288);
  EXPECT_EQ(Value(sample, "node_memory_HugePages_Total"), 0);
  EXPECT_EQ(Value(sample, "node_disk_read_bytes_total", R"(device="nvme7n1")"), 40'960'000);  // 80,000 sectors of 512
  EXPECT_DOUBLE_EQ(Value(sample, "node_disk_io_time_seconds_total", R"(device="sda")"), 0.7);
  EXPECT_EQ(FindSeries(sample, "node_disk_io_now", R"(device="sda1")"), nullptr) << "a partition";
  EXPECT_EQ(Value(sample, "node_network_receive_bytes_total", R"(device="enP30832s1")"), 150000);
  EXPECT_EQ(Value(sample, "node_network_transmit_packets_total", R"(device="lo")"), 900);
  EXPECT_EQ(Value(sample, "node_filesystem_avail_bytes", R"(device="/dev/sda1",fstype="ext4",mountpoint="/")"), 500);
  EXPECT_EQ(Value(sample, "node_filesystem_files_free", R"(device="tmpfs",fstype="tmpfs",mountpoint="/run")"), 40);
  EXPECT_EQ(Value(sample, "node_infiniband_port_data_received_bytes_total", R"(device="mlx5_ib7",port="1")"), 1e6)
      << "250,000 words of 4 bytes";
  EXPECT_EQ(Value(sample, "node_infiniband_state_id", R"(device="mlx5_ib0",port="1")"), 4);
  EXPECT_EQ(Value(sample, "node_infiniband_rate_bytes_per_second", R"(device="mlx5_ib0",port="1")"), 5e10);
  for (const SourceSample& source : sample.sources) {
    if (!source.name.starts_with("gpu")) {
      EXPECT_TRUE(source.status.ok()) << source.name << ": " << source.status;
    }
  }
}

TEST(SamplerTest, RatesComeFromTheSecondSampleOn) {
  Machine machine(PlainMachine());
  Sampler sampler(machine.sources);
  EXPECT_TRUE(std::isnan(Rate(sampler.Take(), "node_context_switches_total")));
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\ncpu0 300 1 50 1990 10 0 3 4 0 0\nctxt 500200\n");
  machine.clock.Advance(absl::Seconds(2));
  const Sample& sample = sampler.Take();
  EXPECT_EQ(Rate(sample, "node_context_switches_total"), 100);
  EXPECT_DOUBLE_EQ(Rate(sample, "node_cpu_seconds_total", R"(cpu="0",mode="user")"), 1) << "200 ticks in 2 s";
  EXPECT_EQ(Rate(sample, "node_cpu_seconds_total", R"(cpu="0",mode="idle")"), 0) << "stepped back by 10 ticks";
  EXPECT_TRUE(std::isnan(Value(sample, "node_cpu_seconds_total", R"(cpu="1",mode="user")"))) << "went offline";
}

TEST(SamplerTest, AWallClockThatJumpsChangesNoRate) {
  Machine machine(PlainMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\nctxt 500100\n");
  machine.clock.Advance(absl::Seconds(1));
  machine.clock.Step(-absl::Hours(1));
  EXPECT_EQ(Rate(sampler.Take(), "node_context_switches_total"), 100);
}

TEST(SamplerTest, AResetOfACounterIsNoSpike) {
  Machine machine(HbMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  const std::string counter = "/sys/class/infiniband/mlx5_ib0/ports/1/counters/port_rcv_data";
  machine.tree.Write(counter, "10\n");
  machine.clock.Advance(absl::Seconds(1));
  constexpr std::string_view kName = "node_infiniband_port_data_received_bytes_total";
  constexpr std::string_view kLabels = R"(device="mlx5_ib0",port="1")";
  EXPECT_TRUE(std::isnan(Rate(sampler.Take(), kName, kLabels)));
  machine.tree.Write(counter, "20\n");
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_EQ(Rate(sampler.Take(), kName, kLabels), 40) << "10 words in 1 s";
}

TEST(SamplerTest, MillisecondsOfDisksWrapAt32Bits) {
  Machine machine(PlainMachine());
  const auto write = [&](uint64_t milliseconds) {
    machine.tree.Write("/proc/diskstats", fmt::format("254 0 vda 1 0 8 {} 1 0 8 1 0 1 1\n", milliseconds));
  };
  write(4'294'967'000);
  Sampler sampler(machine.sources);
  sampler.Take();
  write(204);  // 500 ms later: 4,294,967,296 - 4,294,967,000 + 204
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_DOUBLE_EQ(Rate(sampler.Take(), "node_disk_read_time_seconds_total", R"(device="vda")"), 0.5);
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
      Machine machine(HbMachine());
      Sampler sampler(machine.sources);
      EXPECT_FALSE(std::isnan(Value(sampler.Take(), row.series, row.labels))) << row.path;
      // A held file of sysfs cannot vanish without an error; in a plain folder it can, so it is only made malformed.
      if (removed && row.source != "infiniband") machine.tree.Remove(row.path);
      else machine.tree.Write(row.path, "\xff garbage\n");
      machine.clock.Advance(absl::Seconds(1));
      const Sample& sample = sampler.Take();
      EXPECT_TRUE(std::isnan(Value(sample, row.series, row.labels))) << row.path;
      for (const SourceSample& source : sample.sources) {
        if (source.name.starts_with("gpu")) continue;
        EXPECT_EQ(source.status.ok(), source.name != row.source) << row.path << " " << source.name;
      }
    }
  }
}

TEST(SamplerTest, AnEmptyMachineGivesReasonsOnly) {
  Machine machine{FakeTree()};
  Sampler sampler(machine.sources);
  for (const SourceSample& source : sampler.Take().sources) {
    EXPECT_FALSE(source.status.ok()) << source.name;
    EXPECT_FALSE(source.status.message().empty()) << source.name;
  }
}

TEST(SamplerTest, DevicesComeAndGoAndKeepTheirPlace) {
  Machine machine(NdH100Machine());
  const auto net_dev = machine.tree.reader().Read("/proc/net/dev");
  ASSERT_TRUE(net_dev.ok());
  Sampler sampler(machine.sources);
  sampler.Take();
  // The virtual function goes while the host is serviced.
  machine.tree.Write("/proc/net/dev", net_dev->substr(0, net_dev->find("enP30832s1")) + "\n");
  machine.tree.Remove("/sys/class/infiniband/mlx5_ib3");
  machine.clock.Advance(absl::Seconds(11));
  const Sample& gone = sampler.Take();
  EXPECT_FALSE(SourceOf(gone, "netdev").status.ok()) << "the cut left half a line";
  EXPECT_TRUE(std::isnan(Value(gone, "node_infiniband_state_id", R"(device="mlx5_ib3",port="1")")));
  EXPECT_EQ(Value(gone, "node_infiniband_state_id", R"(device="mlx5_ib4",port="1")"), 4);
  machine.tree.Write("/proc/net/dev", *net_dev);
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_EQ(Value(sampler.Take(), "node_network_receive_bytes_total", R"(device="enP30832s1")"), 150000);
}

TEST(SamplerTest, GpusAreInTheSampleAfterTheyWereRead) {
  Machine machine(PlainMachine());
  machine.sources.gpus = FakeGpuSources();
  Sampler sampler(machine.sources);
  EXPECT_FALSE(SourceOf(sampler.Take(), "gpu_nvidia").status.ok()) << "being read for the first time";
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "gpu_nvidia").status.ok()) << SourceOf(sample, "gpu_nvidia").status;
  constexpr std::string_view kLabels =
      R"(gpu="0",UUID="GPU-00000000-0000-0000-0000-000000000000",pci_bus_id="00000001:00:00.0",device="nvidia0",)"
      R"(modelName="NVIDIA H100 80GB HBM3",Hostname="plain")";
  EXPECT_EQ(Value(sample, "DCGM_FI_DEV_SM_CLOCK", kLabels), 1980);
  EXPECT_EQ(Value(sample, "DCGM_FI_DEV_POWER_USAGE", kLabels), 71.5);
  EXPECT_EQ(Value(sample, "DCGM_FI_DEV_FB_USED", kLabels), 1024);
  EXPECT_EQ(Value(sample, "ashlar_gpu_reachable", kLabels), 1);
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const FakeDriverSettings told("lost=0");
  sampler.Take();
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
  const Sample& lost = sampler.Take();
  EXPECT_FALSE(SourceOf(lost, "gpu_nvidia").status.ok());
  EXPECT_EQ(Value(lost, "ashlar_gpu_reachable", kLabels), 0);
  EXPECT_TRUE(std::isnan(Value(lost, "DCGM_FI_DEV_POWER_USAGE", kLabels)));
  ASSERT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(SamplerTest, AGpuDriverThatHangsCostsOnlyItsOwnValues) {
  FakeDriverHang hang("gpus=1");
  Machine machine(PlainMachine());
  machine.sources.gpus.nvml_library = FakeNvmlPath();
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.clock.Advance(absl::Seconds(60));
  const Sample& sample = sampler.Take();
  const base::Status status = SourceOf(sample, "gpu_nvidia").status;
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_FALSE(std::isnan(Rate(sample, "node_context_switches_total")));
  hang.Release();
  EXPECT_TRUE(sampler.WaitForGpus(kLong));
}

TEST(SamplerTest, SamplesAllocateNothingThatStays) {
  Machine machine(NdH100Machine());
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

TEST(PrometheusTest, WritesTheFormat) {
  Machine machine(PlainMachine());
  Sampler sampler(machine.sources);
  std::string text;
  AppendPrometheus(sampler.Take(), text);
  EXPECT_NE(text.find("# HELP node_load1 1m load average.\n# TYPE node_load1 gauge\nnode_load1 0.5\n"),
            std::string::npos);
  EXPECT_NE(text.find("# TYPE node_cpu_seconds_total counter\nnode_cpu_seconds_total{cpu=\"0\",mode=\"user\"} 1\n"),
            std::string::npos);
  EXPECT_NE(text.find("node_scrape_collector_success{collector=\"meminfo\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("node_scrape_collector_success{collector=\"gpu_nvidia\"} 0\n"), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find("nan"), std::string::npos) << "what is absent is left out";
  // One HELP and one TYPE for each family.
  std::map<std::string, int> heads;
  for (const std::string_view line : base::SplitLines(text)) {
    if (line.starts_with("# TYPE ")) ++heads[std::string(line)];
  }
  for (const auto& [head, count] : heads) EXPECT_EQ(count, 1) << head;
}

TEST(PrometheusTest, AnAbsentFamilyHasNoHead) {
  Machine machine{FakeTree()};
  Sampler sampler(machine.sources);
  std::string text;
  AppendPrometheus(sampler.Take(), text);
  EXPECT_EQ(text.find("node_load1"), std::string::npos);
  EXPECT_EQ(text.find("DCGM"), std::string::npos);
  EXPECT_NE(text.find("node_scrape_collector_success"), std::string::npos);
}

TEST(ReadFilesystemSpaceTest, ReadsTheRealOneAndRefusesNone) {
  const auto space = ReadFilesystemSpace("/");
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_GT(space->size_bytes, 0U);
  EXPECT_LE(space->available_bytes, space->size_bytes);
  EXPECT_EQ(ReadFilesystemSpace("/no/such/folder").status().code(), base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::node
