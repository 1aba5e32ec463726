// One round of tests: which nodes meet, so that the tests say most about the suspects and all others are tested too.
//
// No state; any thread.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "stats/culprit/diagnosis.h"
#include "stats/culprit/evidence.h"

namespace ashlar::stats {

// Round `round` (from 0) of a tournament in which all of `nodes` meet once, in as many rounds as there are nodes (one
// less when they are even in number; one node sits out when odd): the circle method. Pairs are ascending.
std::vector<std::pair<int, int>> CircleRound(int nodes, int round);

// How the rounds of a cluster of this size are spent.
struct RoundBudget {
  int most = 1;          // rounds in all
  int group_rounds = 0;  // the first ones: in them every two nodes are once in the same group; 0: pairs only
  int least = 1;         // before a cluster without suspects is called clear
};
RoundBudget BudgetFor(int nodes);

// The groups of round `round` of `group_rounds`, a prime and one: nodes are points of the affine plane of that prime's
// order and the groups of a round its parallel lines, so two points share a line in just one round. Empty groups are
// left out.
std::vector<std::vector<int>> PlaneRound(int nodes, int group_rounds, int round);

struct RoundRequest {
  const Topology& topology;
  const Diagnosis& diagnosis;
  std::span<const TestResult> results;
  const std::set<std::pair<int, int>>& met;  // pairs that were tested as a pair before
  int round = 0;
};

// Tests that share no node. Suspects come first, each with the known-good partner whose test splits the suspicion best
// (the greatest entropy of its outcome), then halves of an unexplained region, then all others in groups or in pairs. A
// node that is pinned as a culprit is left out, a link that is pinned not used.
std::vector<PlannedTest> PlanRound(const RoundRequest& request);

// Of these only the ones that test suspects: the fewest next tests.
std::vector<PlannedTest> PlanSuspectTests(const RoundRequest& request);

}  // namespace ashlar::stats
