#include "stats/culprit/weighing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::stats {
namespace {

// Eight nodes, three full rounds of pairs; node 2 gives 40 % of the speed in each.
std::vector<TestResult> SlowNodeTwo() {
  const std::vector<std::pair<int, int>> pairs = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                                  {4, 6}, {5, 7}, {0, 3}, {1, 2}, {4, 7}, {5, 6}};
  std::vector<TestResult> results;
  double noise = 0.02;
  for (const auto& [first, second] : pairs) {
    noise = -noise;
    const bool slow = first == 2 || second == 2;
    results.push_back({.nodes = {first, second}, .log_speed = noise + (slow ? std::log(0.4) : 0)});
  }
  return results;
}

TEST(Weighing, WithoutResultsNobodyIsWeighed) {
  const Topology topology{.nodes = 4};
  EXPECT_TRUE(Weighing(topology, {}).WeighAll().empty());
}

TEST(Weighing, TheNodeThatAllSlowTestsShareComesFirst) {
  const Topology topology{.nodes = 8};
  const std::vector<TestResult> results = SlowNodeTwo();
  const Weighing weighing(topology, results);
  const std::vector<WeighedFault> weighed = weighing.WeighAll();
  ASSERT_FALSE(weighed.empty());
  EXPECT_EQ(weighed.front().fault.culprit, (Culprit{CulpritKind::kNode, 2, -1}));
  EXPECT_GT(weighed.front().log_odds, std::log(100));
  EXPECT_NEAR(std::exp(weighed.front().fault.shift), 0.4, 0.03);
  EXPECT_THAT(weighing.Spoiled(weighed.front().fault), testing::ElementsAre(1, 4, 9));
}

TEST(Weighing, WhatIsAssumedExplainsItsTests) {
  const Topology topology{.nodes = 8};
  const std::vector<TestResult> results = SlowNodeTwo();
  Weighing weighing(topology, results);
  weighing.Assume({{.culprit = {CulpritKind::kNode, 2, -1}, .shift = std::log(0.4), .activity = 0.98}});
  for (const WeighedFault& rest : weighing.WeighAll()) EXPECT_LT(rest.log_odds, 0);
  for (const double surprise : weighing.Surprise()) EXPECT_LT(surprise, 3);
}

TEST(Weighing, ABlamedNodeWeighsMoreThanItsPartner) {
  const Topology topology{.nodes = 4};
  const std::vector<TestResult> results = {
      {.nodes = {0, 1}, .outcome = TestOutcome::kCrashed, .blamed = {1}},
      {.nodes = {2, 3}, .log_speed = 0},
  };
  const std::vector<WeighedFault> weighed = Weighing(topology, results).WeighAll();
  ASSERT_FALSE(weighed.empty());
  EXPECT_EQ(weighed.front().fault.culprit, (Culprit{CulpritKind::kNode, 1, -1}));
  EXPECT_EQ(weighed.front().fault.symptom, Symptom::kCrash);
}

TEST(Weighing, ARegionIsWhatSlowGroupsHaveInCommon) {
  const Topology topology{.nodes = 64};
  std::vector<TestResult> results;
  const auto add = [&](int begin, int end, double speed) {
    TestResult result{.kind = TestKind::kGroup, .log_speed = speed};
    for (int node = begin; node < end; ++node) result.nodes.push_back(node);
    results.push_back(result);
  };
  for (int i = 0; i < 12; ++i) add(32, 64, i % 2 == 0 ? 0.02 : -0.02);
  add(0, 32, std::log(0.4));
  add(16, 48, std::log(0.4));
  const Region region = Weighing(topology, results).FindRegion();
  ASSERT_EQ(region.nodes.size(), 16U);  // 16 to 31
  EXPECT_EQ(region.nodes.front(), 16);
  EXPECT_EQ(region.open_links.size(), 120U);  // 16 * 15 / 2: no healthy test has two of them
}

}  // namespace
}  // namespace ashlar::stats
