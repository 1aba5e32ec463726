#include "stats/culprit/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stats/culprit/simulated_cluster.h"

namespace ashlar::stats {
namespace {

CulpritSearch Play(const SimulatedCluster& cluster, std::mt19937_64& random) {
  CulpritSearch search = CulpritSearch::Create(cluster.topology).value();
  for (std::vector<PlannedTest> round = search.NextRound(); !round.empty(); round = search.NextRound()) {
    std::vector<TestResult> results;
    for (const PlannedTest& test : round) results.push_back(RunSimulated(cluster, test, random));
    EXPECT_TRUE(search.Add(results).ok());
  }
  return search;
}

TEST(CulpritSearch, NeedsTwoNodesThatAreThere) {
  EXPECT_EQ(CulpritSearch::Create({.nodes = 1}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(CulpritSearch::Create({.nodes = 4, .switches = {{3, 4}}}).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST(CulpritSearch, BadResultsChangeNothing) {
  CulpritSearch search = CulpritSearch::Create({.nodes = 4}).value();
  const std::vector<TestResult> bad = {{.nodes = {0, 9}}};
  EXPECT_EQ(search.Add(bad).code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(search.rounds(), 0);
  EXPECT_TRUE(search.results().empty());
}

// The bounds are those that docs/benchmarks.md shows with 200 seeds of each kind; here a few of each, always the same.
TEST(CulpritSearch, NamesTheCulpritOfEveryKind) {
  for (const FaultKind kind : kAllFaultKinds) {
    int named = 0;
    constexpr int kSeeds = 6;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      std::mt19937_64 random(static_cast<uint64_t>(seed));
      SimulatedCluster cluster = MakeSimulatedCluster(17, 4, random);
      cluster.faults.push_back(RandomFault(kind, cluster, random));
      const CulpritSearch search = Play(cluster, random);
      EXPECT_LE(search.rounds(), 3 * std::log2(17)) << FaultKindName(kind) << " with seed " << seed;
      for (const Accusation& accusation : search.diagnosis().accusations) {
        for (const Suspect& suspect : accusation.candidates) {
          if (suspect.culprit == cluster.faults.front().culprit) ++named;
        }
      }
    }
    EXPECT_GE(named, kSeeds - 1) << FaultKindName(kind);
  }
}

TEST(CulpritSearch, HealthyClustersAreClear) {
  for (int seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    const CulpritSearch search = Play(MakeSimulatedCluster(17, 4, random), random);
    EXPECT_TRUE(search.diagnosis().accusations.empty()) << "seed " << seed;
    EXPECT_THAT(search.WhyOver(), testing::Not(testing::IsEmpty()));
  }
}

TEST(CulpritSearch, ALinkAmongThousandsIsFoundByHalves) {
  std::mt19937_64 random(2);
  SimulatedCluster cluster = MakeSimulatedCluster(256, 8, random);
  cluster.faults = {{.kind = FaultKind::kSlowLink, .culprit = {CulpritKind::kLink, 17, 200}, .speed_left = 0.4}};
  const CulpritSearch search = Play(cluster, random);
  ASSERT_EQ(search.diagnosis().accusations.size(), 1U);
  EXPECT_EQ(search.diagnosis().accusations.front().candidates.front().culprit, cluster.faults.front().culprit);
}

}  // namespace
}  // namespace ashlar::stats
