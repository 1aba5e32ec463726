#include <gtest/gtest.h>

#include <cmath>

#include "node/fake_tree_testing.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

TEST(CpuSensorTest, RatesComeFromTheSecondSampleOn) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  EXPECT_TRUE(std::isnan(RateOf(sampler.Take(), "node_context_switches_total")));
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\ncpu0 300 1 50 1990 10 0 3 4 0 0\nctxt 500200\n");
  machine.clock.Advance(absl::Seconds(2));
  const Sample& sample = sampler.Take();
  EXPECT_EQ(RateOf(sample, "node_context_switches_total"), 100);
  EXPECT_DOUBLE_EQ(RateOf(sample, "node_cpu_seconds_total", R"(cpu="0",mode="user")"), 1) << "200 ticks in 2 s";
  EXPECT_EQ(RateOf(sample, "node_cpu_seconds_total", R"(cpu="0",mode="idle")"), 0) << "stepped back by 10 ticks";
  EXPECT_TRUE(std::isnan(ValueOf(sample, "node_cpu_seconds_total", R"(cpu="1",mode="user")"))) << "went offline";
}

TEST(CpuSensorTest, AWallClockThatJumpsChangesNoRate) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\nctxt 500100\n");
  machine.clock.Advance(absl::Seconds(1));
  machine.clock.Step(-absl::Hours(1));
  EXPECT_EQ(RateOf(sampler.Take(), "node_context_switches_total"), 100);
}

TEST(CpuSensorTest, AProcessorThatComesOnlineIsAddedAtTheEnd) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\ncpu1 100 0 0 0\n");
  Sampler sampler(machine.sources);
  sampler.Take();
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\ncpu0 500 0 0 0\ncpu1 200 0 0 0 0 0 0 0 30 40\n");
  machine.clock.Advance(absl::Seconds(1));
  const Sample& sample = sampler.Take();
  EXPECT_EQ(ValueOf(sample, "node_cpu_seconds_total", R"(cpu="0",mode="user")"), 5);
  EXPECT_TRUE(std::isnan(RateOf(sample, "node_cpu_seconds_total", R"(cpu="0",mode="user")")));
  EXPECT_EQ(RateOf(sample, "node_cpu_seconds_total", R"(cpu="1",mode="user")"), 1) << "100 ticks in 1 s";
  EXPECT_EQ(ValueOf(sample, "node_cpu_guest_seconds_total", R"(cpu="1",mode="nice")"), 0.4);
}

TEST(CpuSensorTest, CountsThatTheKernelDoesNotGiveAreAbsent) {
  SampledMachine machine(PlainMachine());
  machine.tree.Write("/proc/stat", "cpu  1 1 1 1\n");
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_TRUE(SourceOf(sample, "cpu").status.ok());
  EXPECT_TRUE(std::isnan(ValueOf(sample, "node_forks_total")));
}

TEST(LoadSensorTest, ReadsThreeAverages) {
  SampledMachine machine(PlainMachine());
  Sampler sampler(machine.sources);
  const Sample& sample = sampler.Take();
  EXPECT_EQ(ValueOf(sample, "node_load1"), 0.5);
  EXPECT_EQ(ValueOf(sample, "node_load5"), 0.4);
  EXPECT_EQ(ValueOf(sample, "node_load15"), 0.3);
}

}  // namespace
}  // namespace ashlar::node
