#include "stats/culprit/round_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "stats/culprit/limits.h"

namespace ashlar::stats {
namespace {

constexpr size_t kManyLinks = 4;
constexpr int kSplitTrials = 64;

using Pair = std::pair<int, int>;

Pair Ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

// Entropy in bits of an event of this chance.
double Entropy(double chance) {
  if (chance <= 0 || chance >= 1) return 0;
  return -chance * std::log2(chance) - (1 - chance) * std::log2(1 - chance);
}

class Planner {
 public:
  explicit Planner(const RoundRequest& request)
      : request_(request),
        used_(static_cast<size_t>(request.topology.nodes), false),
        suspected_(used_),
        switch_of_(used_.size(), -1) {
    const std::vector<std::vector<int>>& switches = request_.topology.switches;
    for (size_t index = 0; index < switches.size(); ++index) {
      for (const int node : switches[index]) switch_of_[static_cast<size_t>(node)] = static_cast<int>(index);
    }
    for (const Accusation& accusation : request_.diagnosis.accusations) {
      if (accusation.pinned()) {
        Ban(accusation.candidates.front().culprit);
      } else {
        for (const Suspect& suspect : accusation.candidates) AddSuspect(suspect);
      }
    }
    for (const Doubt& doubt : request_.diagnosis.doubts) AddSuspect(doubt.suspect);
    for (const Doubt& hint : request_.diagnosis.hints) suspects_.push_back(hint.suspect);
  }

  std::vector<PlannedTest> PlanSuspects() {
    TestSuspects();
    return std::move(tests_);
  }

  std::vector<PlannedTest> Plan() {
    const RoundBudget budget = BudgetFor(request_.topology.nodes);
    const bool groups = request_.round < budget.group_rounds;
    SplitRegion();
    // Early on, chance makes suspects of many; groups clear most of them at once.
    if (!groups) TestSuspects();
    if (groups) {
      TakeGroups(PlaneRound(request_.topology.nodes, budget.group_rounds, request_.round));
    } else {
      for (const Pair& pair : CircleRound(request_.topology.nodes, request_.round - budget.group_rounds)) {
        if (IsFree(pair.first) && IsFree(pair.second) && IsAllowed(pair)) Take(pair);
      }
      PairTheRest();
    }
    return std::move(tests_);
  }

 private:
  void Ban(const Culprit& culprit) {
    if (culprit.kind == CulpritKind::kNode) used_[static_cast<size_t>(culprit.first)] = true;
    if (culprit.kind == CulpritKind::kLink) banned_links_.insert({culprit.first, culprit.second});
    if (culprit.kind == CulpritKind::kSwitch) banned_switches_.insert(culprit.first);
  }

  void AddSuspect(const Suspect& suspect) {
    suspects_.push_back(suspect);
    if (suspect.culprit.kind == CulpritKind::kSwitch) return;
    suspected_[static_cast<size_t>(suspect.culprit.first)] = true;
    if (suspect.culprit.kind == CulpritKind::kLink) suspected_[static_cast<size_t>(suspect.culprit.second)] = true;
  }

  bool IsFree(int node) const { return !used_[static_cast<size_t>(node)]; }
  int SwitchOf(int node) const { return switch_of_[static_cast<size_t>(node)]; }

  // A test across a pinned switch or link would only show that fault again.
  bool IsAllowed(const Pair& pair) const {
    if (banned_links_.contains(pair)) return false;
    if (SwitchOf(pair.first) == SwitchOf(pair.second)) return true;
    return !banned_switches_.contains(SwitchOf(pair.first)) && !banned_switches_.contains(SwitchOf(pair.second));
  }

  void Take(const Pair& pair) { Take({TestKind::kPair, {pair.first, pair.second}}); }

  void Take(PlannedTest test) {
    for (const int node : test.nodes) used_[static_cast<size_t>(node)] = true;
    tests_.push_back(std::move(test));
  }

  // Would a test of these only show again what is pinned?
  bool IsAllowed(std::span<const int> nodes) const {
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t j = i + 1; j < nodes.size(); ++j) {
        if (!IsAllowed(Pair{nodes[i], nodes[j]})) return false;
      }
    }
    return true;
  }

  // The nodes of a group that are free, without those that would only show again what is pinned.
  std::vector<int> FreeOf(std::span<const int> group) const {
    std::vector<int> nodes;
    const bool any_banned = !banned_links_.empty() || !banned_switches_.empty();
    for (const int node : group) {
      if (!IsFree(node)) continue;
      nodes.push_back(node);
      if (any_banned && !IsAllowed(nodes)) nodes.pop_back();
    }
    return nodes;
  }

  void TakeGroups(const std::vector<std::vector<int>>& groups) {
    for (const std::vector<int>& group : groups) {
      std::vector<int> nodes = FreeOf(group);
      if (nodes.size() > 1) Take({TestKind::kGroup, std::move(nodes)});
    }
    // What the bans took out of their groups meets in groups of its own.
    std::vector<int> rest;
    for (int node = 0; node < request_.topology.nodes; ++node) {
      if (IsFree(node)) rest.push_back(node);
    }
    std::vector<int> nodes = FreeOf(rest);
    if (nodes.size() > 1 && nodes.size() < rest.size() + 1) Take({TestKind::kGroup, std::move(nodes)});
  }

  // Something slow hides among these: two groups of halves of them, filled up with others to the usual size so that
  // they compare. A link between the halves shows in neither, so the split is the best of some for the links that no
  // healthy test has cleared yet.
  void SplitRegion() {
    const std::vector<int>& region = request_.diagnosis.region.nodes;
    const std::vector<Pair>& open = request_.diagnosis.region.open_links;
    std::vector<int> nodes = FreeOf(region);
    if (nodes.size() < 4 || open.empty()) return;
    std::mt19937_64 random(static_cast<uint64_t>(request_.round));
    std::vector<int> halves[2];
    double worth = -1;
    for (int trial = 0; trial < kSplitTrials; ++trial) {
      std::shuffle(nodes.begin(), nodes.end(), random);
      const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
      const std::set<int> first(nodes.begin(), middle);
      double inside[2] = {0, 0};
      for (const Pair& link : open) {
        const bool a = first.contains(link.first);
        if (a == first.contains(link.second)) ++inside[a ? 0 : 1];
      }
      const double all = static_cast<double>(open.size());
      const double own = Entropy(inside[0] / all) + Entropy(inside[1] / all);
      if (own <= worth) continue;
      worth = own;
      halves[0].assign(nodes.begin(), middle);
      halves[1].assign(middle, nodes.end());
    }
    for (std::vector<int>& half : halves) Take({TestKind::kGroup, Filled(std::move(half), region, random)});
  }

  // A group with free nodes from outside the region added up to the usual size.
  std::vector<int> Filled(std::vector<int> group, const std::vector<int>& region, std::mt19937_64& random) const {
    std::vector<int> others;
    for (int node = 0; node < request_.topology.nodes; ++node) {
      if (IsFree(node) && !std::binary_search(region.begin(), region.end(), node)) others.push_back(node);
    }
    std::shuffle(others.begin(), others.end(), random);
    while (group.size() < GroupSize() && !others.empty()) {
      group.push_back(others.back());
      others.pop_back();
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  size_t GroupSize() const {
    const RoundBudget budget = BudgetFor(request_.topology.nodes);
    return static_cast<size_t>(request_.topology.nodes / std::max(1, budget.group_rounds - 1));
  }

  // A free node without suspicion for `node` to meet: behind the same switch or behind another, as asked; one that it
  // has not met before if there is one. The search starts elsewhere each round, so that partners change.
  std::optional<int> Partner(int node, bool same_switch) const {
    const int nodes = request_.topology.nodes;
    std::optional<int> known;
    for (int step = 1; step < nodes; ++step) {
      const int other = (node + step + request_.round) % nodes;
      if (other == node || !IsFree(other) || suspected_[static_cast<size_t>(other)]) continue;
      if ((SwitchOf(node) == SwitchOf(other)) != same_switch || !IsAllowed(Ascending(node, other))) continue;
      if (!request_.met.contains(Ascending(node, other))) return other;
      if (!known.has_value()) known = other;
    }
    return known;
  }

  // How much the outcome of this test would tell about who it is, in bits: the entropy of the outcome, less what would
  // be left of it if one knew.
  double Worth(const Pair& pair) const {
    const int nodes[2] = {pair.first, pair.second};
    return Worth(nodes);
  }

  double Worth(std::span<const int> nodes) const {
    double spoiled = 0;
    double left = 0;
    for (const Suspect& suspect : suspects_) {
      if (!Touches(suspect.culprit, request_.topology, nodes)) continue;
      spoiled += suspect.probability * suspect.activity;
      left += suspect.probability * Entropy(suspect.activity);
    }
    return Entropy(std::min(spoiled, 1.0)) - left;
  }

  // A test of a suspect: a link as it is, a node with a partner that is found when its turn comes.
  struct Proposal {
    int node = 0;
    int other = -1;            // of a link
    bool same_switch = false;  // where the partner is
    double worth = 0;
  };

  std::optional<Pair> Resolve(const Proposal& proposal) const {
    if (!IsFree(proposal.node)) return std::nullopt;
    if (proposal.other >= 0) {
      if (!IsFree(proposal.other)) return std::nullopt;
      return Ascending(proposal.node, proposal.other);
    }
    const std::optional<int> partner = Partner(proposal.node, proposal.same_switch);
    if (!partner.has_value()) return std::nullopt;
    return Ascending(proposal.node, *partner);
  }

  std::vector<Proposal> Proposals() const {
    std::set<int> nodes;
    std::vector<Proposal> proposals;
    for (const Suspect& suspect : suspects_) {
      if (suspect.culprit.kind == CulpritKind::kSwitch) {
        const std::vector<int>& behind = request_.topology.switches[static_cast<size_t>(suspect.culprit.first)];
        nodes.insert(behind.begin(), behind.end());
        continue;
      }
      nodes.insert(suspect.culprit.first);
      if (suspect.culprit.kind != CulpritKind::kLink) continue;
      nodes.insert(suspect.culprit.second);
      proposals.push_back({.node = suspect.culprit.first, .other = suspect.culprit.second});
    }
    for (const int node : nodes) {
      for (const bool same_switch : {false, true}) proposals.push_back({.node = node, .same_switch = same_switch});
    }
    return proposals;
  }

  // Many links in doubt: they share few nodes, so two groups of these ask about more of them at once than pairs can.
  // The best of some random splits.
  void SplitLinks() {
    std::set<int> ends;
    size_t links = 0;
    for (const Suspect& suspect : suspects_) {
      if (suspect.culprit.kind != CulpritKind::kLink || suspect.probability < kClear) continue;
      ++links;
      for (const int node : {suspect.culprit.first, suspect.culprit.second}) {
        if (IsFree(node)) ends.insert(node);
      }
    }
    if (links < kManyLinks || ends.size() < 3) return;
    std::vector<int> nodes(ends.begin(), ends.end());
    std::mt19937_64 random(static_cast<uint64_t>(request_.round));
    std::vector<int> best[2];
    double worth = 0;
    for (int trial = 0; trial < kSplitTrials; ++trial) {
      std::shuffle(nodes.begin(), nodes.end(), random);
      std::vector<int> parts[2];
      for (size_t i = 0; i < nodes.size(); ++i) parts[i < (nodes.size() + 1) / 2 ? 0 : 1].push_back(nodes[i]);
      double both = 0;
      for (std::vector<int>& part : parts) {
        std::sort(part.begin(), part.end());
        both += part.size() > 1 && IsAllowed(part) ? Worth(part) : 0;
      }
      if (both <= worth) continue;
      worth = both;
      for (int i : {0, 1}) best[i] = parts[i];
    }
    for (std::vector<int>& part : best) {
      const TestKind kind = part.size() > 2 ? TestKind::kGroup : TestKind::kPair;
      if (part.size() > 1) Take({kind, std::move(part)});
    }
  }

  void TestSuspects() {
    SplitLinks();
    std::vector<Proposal> proposals = Proposals();
    for (Proposal& proposal : proposals) {
      const std::optional<Pair> pair = Resolve(proposal);
      if (pair.has_value()) proposal.worth = Worth(*pair);
    }
    std::stable_sort(proposals.begin(), proposals.end(),
                     [](const Proposal& a, const Proposal& b) { return a.worth > b.worth; });
    for (const Proposal& proposal : proposals) {
      const std::optional<Pair> pair = proposal.worth > 0 ? Resolve(proposal) : std::nullopt;
      if (pair.has_value()) Take(*pair);
    }
  }

  // Those whose partner of the circle was taken meet each other.
  void PairTheRest() {
    std::vector<int> rest;
    for (int node = 0; node < request_.topology.nodes; ++node) {
      if (IsFree(node)) rest.push_back(node);
    }
    for (const bool again : {false, true}) {
      for (size_t i = 0; i < rest.size(); ++i) {
        for (size_t j = i + 1; j < rest.size() && IsFree(rest[i]); ++j) {
          const Pair pair{rest[i], rest[j]};
          if (!IsFree(rest[j]) || !IsAllowed(pair) || (!again && request_.met.contains(pair))) continue;
          Take(pair);
        }
      }
    }
  }

  const RoundRequest& request_;
  std::vector<bool> used_;  // in this round already, or not to be tested at all
  std::vector<bool> suspected_;
  std::vector<int> switch_of_;
  std::vector<Suspect> suspects_;
  std::set<Pair> banned_links_;
  std::set<int> banned_switches_;
  std::vector<PlannedTest> tests_;
};

}  // namespace

std::vector<std::pair<int, int>> CircleRound(int nodes, int round) {
  // Node `seats - 1` stays, the others move round a circle; with an odd number that seat is empty.
  const int seats = nodes + nodes % 2;
  std::vector<Pair> pairs;
  for (int i = 0; i < seats / 2; ++i) {
    const int a = i == 0 ? seats - 1 : (round + i) % (seats - 1);
    const int b = (round - i + (seats - 1) * (round / (seats - 1) + 1)) % (seats - 1);
    if (a < nodes && b < nodes) pairs.push_back(Ascending(a, b));
  }
  return pairs;
}

RoundBudget BudgetFor(int nodes) {
  RoundBudget budget;
  budget.most = std::max(1, static_cast<int>(std::floor(kMaxRoundsPerLog * std::log2(nodes))));
  const int all_pairs = nodes - 1 + nodes % 2;
  if (all_pairs <= budget.most) {
    budget.least = all_pairs;
    return budget;
  }
  for (const int prime : {3, 5, 7, 11, 13, 17}) {
    if (prime + 1 <= budget.most / 2) budget.group_rounds = prime + 1;
  }
  budget.least = std::min(budget.most, budget.group_rounds + kLeastPairRounds);
  return budget;
}

std::vector<std::vector<int>> PlaneRound(int nodes, int group_rounds, int round) {
  const int order = group_rounds - 1;
  std::vector<std::vector<int>> groups(static_cast<size_t>(order));
  for (int node = 0; node < nodes; ++node) {
    const int x = node % order;
    const int y = node / order % order;
    // The last round has the lines that stand upright.
    const int line = round % group_rounds == order ? x : (y + (round % group_rounds) * x) % order;
    groups[static_cast<size_t>(line)].push_back(node);
  }
  std::erase_if(groups, [](const std::vector<int>& group) { return group.empty(); });
  return groups;
}

std::vector<PlannedTest> PlanRound(const RoundRequest& request) { return Planner(request).Plan(); }

std::vector<PlannedTest> PlanSuspectTests(const RoundRequest& request) { return Planner(request).PlanSuspects(); }

}  // namespace ashlar::stats
