#include <gtest/gtest.h>

#include <map>

#include "node/fake_tree_testing.h"
#include "node/sensors/sampled_machine_testing.h"

namespace ashlar::node {
namespace {

TEST(PrometheusTest, WritesTheFormat) {
  SampledMachine machine(PlainMachine());
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
  SampledMachine machine{FakeTree()};
  Sampler sampler(machine.sources);
  std::string text;
  AppendPrometheus(sampler.Take(), text);
  EXPECT_EQ(text.find("node_load1"), std::string::npos);
  EXPECT_EQ(text.find("DCGM"), std::string::npos);
  EXPECT_NE(text.find("node_scrape_collector_success"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::node
