// How often the search names the culprit: known faults in simulated clusters, many seeds of each kind.
//
//   ashlar_stats_accuracy NODES SEEDS [NODES_PER_SWITCH [FIRST_SEED]]
//
// Prints one line for each kind of fault, for healthy clusters and for two faults at once, of words and numbers:
// KIND SEEDS IN_SET EXACT FALSE ROUNDS_MEDIAN ROUNDS_MAX TESTS_MEDIAN. IN_SET: every culprit is among the candidates.
// EXACT: the candidates are the culprits and nothing else. FALSE: somebody is accused who has no fault.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/base.h"
#include "stats/stats.h"

namespace ashlar::stats {
namespace {

struct Outcome {
  bool in_set = true;
  bool exact = true;
  bool false_accusation = false;
  int rounds = 0;
  size_t tests = 0;
};

Outcome Play(const SimulatedCluster& cluster, std::mt19937_64& random) {
  CulpritSearch search = CulpritSearch::Create(cluster.topology).value();
  while (true) {
    std::vector<TestResult> results;
    for (const PlannedTest& test : search.NextRound()) results.push_back(RunSimulated(cluster, test, random));
    if (results.empty()) break;
    if (!search.Add(results).ok()) std::abort();
  }
  Outcome outcome{.rounds = search.rounds(), .tests = search.results().size()};
  std::set<Culprit> named;
  std::set<Culprit> pinned;
  for (const Accusation& accusation : search.diagnosis().accusations) {
    for (const Suspect& suspect : accusation.candidates) named.insert(suspect.culprit);
    if (accusation.pinned()) pinned.insert(accusation.candidates.front().culprit);
  }
  std::set<Culprit> guilty;
  for (const SimulatedFault& fault : cluster.faults) guilty.insert(fault.culprit);
  outcome.in_set = std::includes(named.begin(), named.end(), guilty.begin(), guilty.end());
  outcome.exact = named == guilty && pinned == guilty;
  outcome.false_accusation =
      std::any_of(pinned.begin(), pinned.end(), [&](const Culprit& one) { return !guilty.contains(one); });
  if (guilty.empty()) outcome.false_accusation = !named.empty();
  return outcome;
}

void Report(const std::string& name, std::vector<Outcome> outcomes) {
  const auto share = [&](bool Outcome::*member) {
    const auto count = std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& one) { return one.*member; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(outcomes.size());
  };
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.rounds < b.rounds; });
  const int median_rounds = outcomes[outcomes.size() / 2].rounds;
  const int most_rounds = outcomes.back().rounds;
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.tests < b.tests; });
  fmt::print("{} {} {:.1f} {:.1f} {:.1f} {} {} {}\n", name, outcomes.size(), share(&Outcome::in_set),
             share(&Outcome::exact), share(&Outcome::false_accusation), median_rounds, most_rounds,
             outcomes[outcomes.size() / 2].tests);
}

struct Plan {
  int nodes = 0;
  int seeds = 0;
  int per_switch = 4;
  int first_seed = 1;
};

int Main(const Plan& plan) {
  const auto run = [&](const std::string& name, std::vector<FaultKind> kinds, bool random_kinds) {
    std::vector<Outcome> outcomes;
    for (int seed = plan.first_seed; seed < plan.first_seed + plan.seeds; ++seed) {
      std::mt19937_64 random(static_cast<uint64_t>(seed));
      SimulatedCluster cluster = MakeSimulatedCluster(plan.nodes, plan.per_switch, random);
      for (FaultKind kind : kinds) {
        if (random_kinds) kind = kAllFaultKinds[random() % std::size(kAllFaultKinds)];
        cluster.faults.push_back(RandomFault(kind, cluster, random));
      }
      outcomes.push_back(Play(cluster, random));
    }
    Report(name, std::move(outcomes));
  };
  for (const FaultKind kind : kAllFaultKinds) run(std::string(FaultKindName(kind)), {kind}, false);
  run("two_at_once", {FaultKind::kSlowNode, FaultKind::kSlowNode}, true);
  run("healthy", {}, false);
  return 0;
}

}  // namespace
}  // namespace ashlar::stats

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    fmt::print(stderr, "usage: ashlar_stats_accuracy NODES SEEDS [NODES_PER_SWITCH [FIRST_SEED]]\n");
    return 2;
  }
  const auto number = [&](int at, int64_t otherwise) {
    return argc > at ? ashlar::base::ParseInt64(argv[at]).value_or(0) : otherwise;
  };
  const int64_t nodes = number(1, 0);
  const int64_t seeds = number(2, 0);
  const int64_t per_switch = number(3, 4);
  const int64_t first_seed = number(4, 1);
  if (nodes < 3 || nodes > 100'000 || seeds < 1 || seeds > 1'000'000 || per_switch < 1 || per_switch > nodes ||
      first_seed < 1 || first_seed > 1'000'000) {
    fmt::print(stderr, "ashlar_stats_accuracy: whole numbers above 0, and at least 3 nodes\n");
    return 2;
  }
  return ashlar::stats::Main({.nodes = static_cast<int>(nodes),
                              .seeds = static_cast<int>(seeds),
                              .per_switch = static_cast<int>(per_switch),
                              .first_seed = static_cast<int>(first_seed)});
}
