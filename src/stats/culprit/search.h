// The search for culprits as a game of rounds: which tests to run next, and when enough is known.
//
// A round is a set of tests that share no node, so they can run at the same time. Every round tests every node that is
// not pinned yet. Not for sharing between threads.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/base.h"
#include "stats/culprit/diagnosis.h"
#include "stats/culprit/evidence.h"

namespace ashlar::stats {

class CulpritSearch {
 public:
  // kInvalidArgument for fewer than two nodes, or a switch that names nodes that are not there.
  static base::StatusOr<CulpritSearch> Create(Topology topology);

  // The tests to run next, which share no node; none when the search is over.
  std::vector<PlannedTest> NextRound() const;
  // The fewest tests that would say most about those in doubt, whether or not the search is over.
  std::vector<PlannedTest> SuspectTests() const;
  // Why there are no more rounds, for people; "" while there are.
  std::string WhyOver() const;

  // What a round gave. Tests that could not run are left out. kInvalidArgument as Diagnose, and then nothing is taken.
  base::Status Add(std::span<const TestResult> results);

  const Topology& topology() const { return topology_; }
  const Diagnosis& diagnosis() const { return diagnosis_; }
  const std::vector<TestResult>& results() const { return results_; }
  int rounds() const { return rounds_; }
  int most_rounds() const;

 private:
  explicit CulpritSearch(Topology topology) : topology_(std::move(topology)) {}
  std::vector<PlannedTest> Plan() const;

  Topology topology_;
  std::vector<TestResult> results_;
  std::set<std::pair<int, int>> met_;
  Diagnosis diagnosis_;
  int rounds_ = 0;
};

}  // namespace ashlar::stats
