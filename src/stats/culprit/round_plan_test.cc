#include "stats/culprit/round_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::stats {
namespace {

std::vector<PlannedTest> Plan(const Topology& topology, const Diagnosis& diagnosis, int round) {
  const std::set<std::pair<int, int>> met;
  return PlanRound({topology, diagnosis, {}, met, round});
}

TEST(CircleRound, AllPairsMeetOnce) {
  for (const int nodes : {2, 3, 4, 7, 8, 17}) {
    std::set<std::pair<int, int>> met;
    const int rounds = nodes - 1 + nodes % 2;
    for (int round = 0; round < rounds; ++round) {
      std::set<int> used;
      for (const auto& [first, second] : CircleRound(nodes, round)) {
        EXPECT_LT(first, second);
        EXPECT_TRUE(used.insert(first).second && used.insert(second).second) << nodes << " in round " << round;
        met.emplace(first, second);
      }
    }
    EXPECT_EQ(met.size(), static_cast<size_t>(nodes * (nodes - 1) / 2)) << nodes;
    EXPECT_EQ(CircleRound(nodes, 0), CircleRound(nodes, rounds)) << nodes;
  }
}

void AddPairs(const std::vector<int>& group, std::set<std::pair<int, int>>& met) {
  for (const int a : group) {
    for (const int b : group) {
      if (a < b) met.emplace(a, b);
    }
  }
}

TEST(PlaneRound, EveryTwoNodesAreInTheSameGroupAtLeastOnce) {
  for (const int nodes : {17, 25, 64, 100}) {
    const int group_rounds = BudgetFor(nodes).group_rounds;
    ASSERT_GT(group_rounds, 0);
    std::set<std::pair<int, int>> met;
    for (int round = 0; round < group_rounds; ++round) {
      size_t members = 0;
      for (const std::vector<int>& group : PlaneRound(nodes, group_rounds, round)) {
        members += group.size();
        AddPairs(group, met);
      }
      EXPECT_EQ(members, static_cast<size_t>(nodes));
    }
    EXPECT_EQ(met.size(), static_cast<size_t>(nodes * (nodes - 1) / 2)) << nodes;
  }
}

TEST(BudgetFor, StaysWithinThreeTimesTheLogarithm) {
  for (const int nodes : {2, 3, 8, 9, 10, 11, 17, 64, 100, 1000, 4096}) {
    const RoundBudget budget = BudgetFor(nodes);
    EXPECT_LE(budget.most, std::max(1.0, 3 * std::log2(nodes))) << nodes;
    EXPECT_LE(budget.least, budget.most) << nodes;
    EXPECT_LT(budget.group_rounds, budget.most) << nodes;
  }
  EXPECT_EQ(BudgetFor(8).group_rounds, 0);  // 7 rounds pair all of 8, and 9 are allowed
}

TEST(PlanRound, TestsShareNoNodeAndCoverAll) {
  const Topology topology{.nodes = 17, .switches = {{0, 1, 2, 3}, {4, 5, 6, 7}}};
  const Diagnosis nothing;
  for (int round = 0; round < 12; ++round) {
    std::set<int> used;
    for (const PlannedTest& test : Plan(topology, nothing, round)) {
      EXPECT_GE(test.nodes.size(), 2U);
      EXPECT_TRUE(std::is_sorted(test.nodes.begin(), test.nodes.end()));
      for (const int node : test.nodes) EXPECT_TRUE(used.insert(node).second) << node << " in round " << round;
    }
    EXPECT_GE(used.size(), 16U) << round;
  }
}

TEST(PlanRound, ASuspectMeetsSomebodyWhoIsNone) {
  const Topology topology{.nodes = 8};
  Diagnosis diagnosis;
  diagnosis.doubts = {{{{CulpritKind::kNode, 2, -1}, 0.4}, Symptom::kSlow},
                      {{{CulpritKind::kNode, 5, -1}, 0.4}, Symptom::kSlow}};
  for (const PlannedTest& test : Plan(topology, diagnosis, 3)) {
    EXPECT_NE(test.nodes, (std::vector<int>{2, 5})) << "two suspects in one test tell nothing";
  }
  EXPECT_EQ(PlanSuspectTests({topology, diagnosis, {}, {}, 3}).size(), 2U);
}

TEST(PlanRound, APinnedNodeIsLeftOutAndAPinnedLinkNotUsed) {
  const Topology topology{.nodes = 8};
  Diagnosis diagnosis;
  diagnosis.accusations = {{.candidates = {{{CulpritKind::kNode, 2, -1}, 1}}},
                           {.candidates = {{{CulpritKind::kLink, 0, 1}, 1}}}};
  for (int round = 0; round < 7; ++round) {
    for (const PlannedTest& test : Plan(topology, diagnosis, round)) {
      EXPECT_THAT(test.nodes, testing::Not(testing::Contains(2)));
      EXPECT_NE(test.nodes, (std::vector<int>{0, 1}));
    }
  }
}

TEST(PlanRound, ARegionIsTestedInHalves) {
  const Topology topology{.nodes = 64};
  Diagnosis diagnosis;
  for (int node = 0; node < 20; ++node) diagnosis.region.nodes.push_back(node);
  for (int a = 0; a < 20; ++a) {
    for (int b = a + 1; b < 20; ++b) diagnosis.region.open_links.emplace_back(a, b);
  }
  const std::vector<PlannedTest> tests = Plan(topology, diagnosis, 2);
  ASSERT_GE(tests.size(), 2U);
  for (size_t half : {size_t{0}, size_t{1}}) {
    EXPECT_EQ(tests[half].kind, TestKind::kGroup);
    EXPECT_EQ(std::count_if(tests[half].nodes.begin(), tests[half].nodes.end(), [](int node) { return node < 20; }),
              10);
  }
}

}  // namespace
}  // namespace ashlar::stats
