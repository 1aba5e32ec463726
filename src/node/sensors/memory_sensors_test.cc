#include <gtest/gtest.h>

#include <cmath>

#include "node/fake_tree_testing.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

// node_exporter's names: brackets become underscores, amounts end in _bytes, counts have no unit.
TEST(MemorySensorTest, NamesLinesAsNodeExporterDoes) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/meminfo",
                     "MemTotal: 100 kB\nMemAvailable: 50 kB\nInactive(file): 3 kB\nHugePages_Free: 7\n");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(ValueOf(sample, "node_memory_MemTotal_bytes"), 102400);
  EXPECT_EQ(ValueOf(sample, "node_memory_Inactive_file_bytes"), 3072);
  EXPECT_EQ(ValueOf(sample, "node_memory_HugePages_Free"), 7);
  EXPECT_FALSE(HasSeries(sample, "node_memory_HugePages_Free_bytes"));
}

TEST(MemorySensorTest, ALineThatGoesIsAbsentAndOneThatComesIsAdded) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/meminfo", "MemTotal: 100 kB\nBuffers: 5 kB\n");
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/meminfo", "MemTotal: 100 kB\nZswap: 6 kB\n");
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(std::isnan(ValueOf(sample, "node_memory_Buffers_bytes")));
  EXPECT_EQ(ValueOf(sample, "node_memory_Zswap_bytes"), 6144);
}

TEST(MemorySensorTest, ANameThatIsNoMetricIsLeftOut) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/meminfo", "MemTotal: 100 kB\nMem-Odd: 5 kB\n");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "meminfo").status.ok());
  EXPECT_FALSE(HasSeries(sample, "node_memory_Mem-Odd_bytes"));
}

TEST(PressureSensorTest, OneFileThatFailsCostsOnlyItself) {
  SampledMachine machine(PlainMachine());
  machine.tree.Remove("/proc/pressure/io");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(SourceOf(sample, "pressure").status.code(), base::StatusCode::kNotFound);
  EXPECT_TRUE(std::isnan(ValueOf(sample, "node_pressure_io_stalled_seconds_total")));
  EXPECT_EQ(ValueOf(sample, "node_pressure_cpu_waiting_seconds_total"), 3) << "3,000,000 microseconds";
  EXPECT_EQ(ValueOf(sample, "node_pressure_memory_stalled_seconds_total"), 1);
}

TEST(PressureSensorTest, ARateIsTheShareOfTimeThatWasLost) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3500000\n");
  machine.clock.Advance(absl::Seconds(1));
  EXPECT_DOUBLE_EQ(RateOf(sampler.Take(), "node_pressure_cpu_waiting_seconds_total"), 0.5);
}

}  // namespace
}  // namespace ashlar::node
