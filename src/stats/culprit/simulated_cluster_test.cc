#include "stats/culprit/simulated_cluster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace ashlar::stats {
namespace {

TEST(SimulatedCluster, TheSameSeedGivesTheSameCluster) {
  std::mt19937_64 a(5);
  std::mt19937_64 b(5);
  const SimulatedCluster first = MakeSimulatedCluster(17, 4, a);
  const SimulatedCluster second = MakeSimulatedCluster(17, 4, b);
  EXPECT_EQ(first.slow_mode, second.slow_mode);
  EXPECT_EQ(RunSimulated(first, {.nodes = {0, 1}}, a).log_speed, RunSimulated(second, {.nodes = {0, 1}}, b).log_speed);
  ASSERT_EQ(first.topology.switches.size(), 5U);
  EXPECT_EQ(first.topology.switches.back(), std::vector<int>{16});
}

TEST(SimulatedCluster, FaultsSpoilTheTestsTheyTouch) {
  std::mt19937_64 random(1);
  SimulatedCluster cluster = MakeSimulatedCluster(8, 4, random);
  cluster.noise = 0;
  cluster.slow_share = 0;
  cluster.faults = {{.kind = FaultKind::kSlowNode, .culprit = {CulpritKind::kNode, 1, -1}, .speed_left = 0.5},
                    {.kind = FaultKind::kCorruptData, .culprit = {CulpritKind::kNode, 2, -1}},
                    {.kind = FaultKind::kHang, .culprit = {CulpritKind::kNode, 3, -1}}};
  cluster.blames = 1;
  EXPECT_NEAR(RunSimulated(cluster, {.nodes = {0, 1}}, random).log_speed, std::log(0.5), 1e-12);
  EXPECT_NEAR(RunSimulated(cluster, {.nodes = {4, 5}}, random).log_speed, 0, 1e-12);
  EXPECT_EQ(RunSimulated(cluster, {.nodes = {2, 4}}, random).outcome, TestOutcome::kWrongData);
  const TestResult hung = RunSimulated(cluster, {.nodes = {3, 4}}, random);
  EXPECT_EQ(hung.outcome, TestOutcome::kHung);
  EXPECT_TRUE(std::isnan(hung.log_speed));
  EXPECT_EQ(hung.blamed, std::vector<int>{3});
}

TEST(RandomFault, IsWithinItsKindAndNeverTwiceInOnePlace) {
  std::mt19937_64 random(3);
  for (const FaultKind kind : kAllFaultKinds) {
    SimulatedCluster cluster = MakeSimulatedCluster(9, 4, random);
    std::set<Culprit> places;
    for (int i = 0; i < 2; ++i) {
      cluster.faults.push_back(RandomFault(kind, cluster, random));
      const SimulatedFault& fault = cluster.faults.back();
      EXPECT_TRUE(places.insert(fault.culprit).second);
      EXPECT_GT(fault.activity, 0.4);
      EXPECT_LE(fault.activity, 1);
      if (kind == FaultKind::kSlowLink) {
        EXPECT_LT(fault.culprit.first, fault.culprit.second);
      }
    }
  }
}

}  // namespace
}  // namespace ashlar::stats
