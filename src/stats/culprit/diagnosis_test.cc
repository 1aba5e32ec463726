#include "stats/culprit/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stats/culprit/round_plan.h"

namespace ashlar::stats {
namespace {

using testing::HasSubstr;

// Some rounds of pairs among `nodes`, each as fast as `speed_left` says, with a little noise.
template <typename SpeedLeft>
std::vector<TestResult> Rounds(int nodes, int rounds, const SpeedLeft& speed_left) {
  std::vector<TestResult> results;
  double noise = 0.02;
  for (int round = 0; round < rounds; ++round) {
    for (const auto& [first, second] : CircleRound(nodes, round)) {
      noise = -noise;
      results.push_back({.nodes = {first, second}, .log_speed = std::log(speed_left(first, second)) + noise});
    }
  }
  return results;
}

TEST(Diagnose, RefusesNodesThatAreNotThere) {
  struct Row {
    const char* name;
    std::vector<int> nodes;
    const char* message;
  };
  const Row rows[] = {{"below", {-1, 1}, "node -1"},
                      {"above", {1, 4}, "node 4"},
                      {"twice", {1, 1}, "must ascend"},
                      {"descending", {2, 1}, "must ascend"},
                      {"none", {}, "no nodes"}};
  for (const Row& row : rows) {
    const std::vector<TestResult> results = {{.nodes = row.nodes, .log_speed = 0}};
    const auto diagnosis = Diagnose({.nodes = 4}, results);
    EXPECT_EQ(diagnosis.status().code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(diagnosis.status().message()), HasSubstr(row.message)) << row.name;
    EXPECT_EQ(Diagnose({.nodes = 4, .switches = {row.nodes}}, {}).status().code(), base::StatusCode::kInvalidArgument);
  }
}

TEST(Diagnose, HealthyPairsAccuseNobody) {
  const auto results = Rounds(8, 7, [](int, int) { return 1.0; });
  const auto diagnosis = Diagnose({.nodes = 8}, results);
  ASSERT_TRUE(diagnosis.ok());
  EXPECT_TRUE(diagnosis->accusations.empty());
  EXPECT_TRUE(diagnosis->doubts.empty());
  EXPECT_TRUE(diagnosis->healthy.contains(TestKind::kPair));
}

TEST(Diagnose, ASlowNodeIsPinnedWithItsTests) {
  const auto results = Rounds(8, 4, [](int a, int b) { return a == 5 || b == 5 ? 0.5 : 1.0; });
  const auto diagnosis = Diagnose({.nodes = 8}, results);
  ASSERT_TRUE(diagnosis.ok());
  ASSERT_EQ(diagnosis->accusations.size(), 1U);
  const Accusation& accusation = diagnosis->accusations.front();
  ASSERT_TRUE(accusation.pinned());
  EXPECT_EQ(accusation.candidates.front().culprit, (Culprit{CulpritKind::kNode, 5, -1}));
  EXPECT_NEAR(accusation.speed_left, 0.5, 0.03);
  EXPECT_EQ(accusation.support.size(), 4U);  // one test a round
}

TEST(Diagnose, OneSlowPairAloneCannotTellNodeFromLink) {
  auto results = Rounds(8, 1, [](int a, int b) { return a == 2 && b == 5 ? 0.4 : 1.0; });
  for (int again = 0; again < 3; ++again) {
    const auto more = Rounds(8, 1, [](int a, int b) { return a == 2 && b == 5 ? 0.4 : 1.0; });
    results.insert(results.end(), more.begin(), more.end());
  }
  const auto slow =
      std::count_if(results.begin(), results.end(), [](const TestResult& r) { return r.log_speed < -0.5; });
  ASSERT_EQ(slow, 4) << "the first round pairs 2 with 5";
  const auto diagnosis = Diagnose({.nodes = 8}, results);
  ASSERT_TRUE(diagnosis.ok());
  ASSERT_EQ(diagnosis->accusations.size(), 1U);
  EXPECT_FALSE(diagnosis->accusations.front().pinned());
  EXPECT_EQ(diagnosis->accusations.front().candidates.size(), 3U);  // 2, 5 and the link between them
}

TEST(Diagnose, TwoFaultsAreTwoAccusations) {
  const auto results = Rounds(12, 6, [](int a, int b) {
    if (a == 3 || b == 3) return 0.4;
    return a == 8 || b == 8 ? 0.6 : 1.0;
  });
  const auto diagnosis = Diagnose({.nodes = 12}, results);
  ASSERT_TRUE(diagnosis.ok());
  ASSERT_EQ(diagnosis->accusations.size(), 2U);
  std::vector<int> nodes;
  for (const Accusation& accusation : diagnosis->accusations) {
    ASSERT_TRUE(accusation.pinned());
    nodes.push_back(accusation.candidates.front().culprit.first);
  }
  EXPECT_THAT(nodes, testing::UnorderedElementsAre(3, 8));
}

TEST(Diagnose, ASwitchIsOneFaultAndNotManyNodes) {
  const Topology topology{.nodes = 12, .switches = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}};
  const auto results = Rounds(12, 6, [](int a, int b) { return (a < 4) != (b < 4) ? 0.5 : 1.0; });
  const auto diagnosis = Diagnose(topology, results);
  ASSERT_TRUE(diagnosis.ok());
  ASSERT_EQ(diagnosis->accusations.size(), 1U);
  ASSERT_TRUE(diagnosis->accusations.front().pinned());
  EXPECT_EQ(diagnosis->accusations.front().candidates.front().culprit, (Culprit{CulpritKind::kSwitch, 0, -1}));
}

}  // namespace
}  // namespace ashlar::stats
