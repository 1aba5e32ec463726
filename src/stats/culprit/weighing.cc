#include "stats/culprit/weighing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "stats/culprit/limits.h"

namespace ashlar::stats {
namespace {

// How often a fault spoils the tests it touches: nearly always, or it flaps. 0.98: even a dead link may answer once.
// What comes and goes must take a good deal, or any few slow tests would be a fault.
struct Activity {
  double share;  // of tests
  double prior;
  double most_shift;  // in ln(speed)
};
constexpr std::array<Activity, 4> kActivities = {
    {{0.98, 0.6, 0}, {0.75, 0.15, -0.1}, {0.5, 0.15, -0.25}, {0.3, 0.1, -0.25}}};

// ln of the sum over activities of prior times likelihood, and which activity weighs most.
struct Marginal {
  double log_likelihood = -std::numeric_limits<double>::infinity();
  double activity = kActivities[0].share;
};

template <typename LogLikelihood>
Marginal OverActivities(double shift, const LogLikelihood& log_likelihood) {
  std::array<double, kActivities.size()> logs{};
  for (size_t i = 0; i < logs.size(); ++i) {
    logs[i] = shift <= kActivities[i].most_shift ? std::log(kActivities[i].prior) + log_likelihood(kActivities[i].share)
                                                 : -std::numeric_limits<double>::infinity();
  }
  const auto best = std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - *best);
  return {*best + std::log(sum), kActivities[static_cast<size_t>(best - logs.begin())].share};
}

// Is it told whether this symptom showed? A hang or a crash hides the others.
bool Shows(const TestResult& result, Symptom symptom) {
  switch (symptom) {
    case Symptom::kSlow: return !std::isnan(result.log_speed);
    case Symptom::kWrongData: return result.outcome != TestOutcome::kHung && result.outcome != TestOutcome::kCrashed;
    case Symptom::kHang: return result.outcome != TestOutcome::kCrashed;
    case Symptom::kCrash: return result.outcome != TestOutcome::kHung;
  }
  return false;
}

bool Has(const TestResult& result, Symptom symptom) {
  switch (symptom) {
    case Symptom::kSlow: return false;
    case Symptom::kWrongData: return result.outcome == TestOutcome::kWrongData;
    case Symptom::kHang: return result.outcome == TestOutcome::kHung;
    case Symptom::kCrash: return result.outcome == TestOutcome::kCrashed;
  }
  return false;
}

Symptom SymptomOf(TestOutcome outcome) {
  switch (outcome) {
    case TestOutcome::kFinished: return Symptom::kSlow;
    case TestOutcome::kWrongData: return Symptom::kWrongData;
    case TestOutcome::kHung: return Symptom::kHang;
    case TestOutcome::kCrashed: return Symptom::kCrash;
  }
  return Symptom::kSlow;
}

}  // namespace

Weighing::Weighing(const Topology& topology, std::span<const TestResult> results)
    : topology_(topology), results_(results), by_node_(static_cast<size_t>(topology.nodes)) {
  for (size_t test = 0; test < results_.size(); ++test) {
    const std::vector<int>& nodes = results_[test].nodes;
    for (const int node : nodes) by_node_[static_cast<size_t>(node)].push_back(test);
    if (nodes.size() == 2) by_link_[{nodes[0], nodes[1]}].push_back(test);
    if (nodes.size() > 2) groups_.push_back(test);
    if (!std::isnan(results_[test].log_speed)) ++tests_[results_[test].kind];
  }
  Assume({});
}

void Weighing::Assume(std::vector<Fault> faults) {
  assumed_ = std::move(faults);
  assumed_by_test_.assign(results_.size(), {});
  for (size_t i = 0; i < assumed_.size(); ++i) {
    for (const size_t test : TestsTouched(assumed_[i].culprit)) assumed_by_test_[test].push_back(i);
  }
  // First without any test that an assumed fault touches, then without those that it spoils by that view. A kind that
  // has too few tests left is not known, rather than learned from faulty ones.
  const auto touched = [&](size_t test) {
    const std::vector<size_t>& indexes = assumed_by_test_[test];
    return std::any_of(indexes.begin(), indexes.end(), [&](size_t i) { return assumed_[i].symptom == Symptom::kSlow; });
  };
  background_ = {};
  background_ = Learn([&](size_t test) { return touched(test) ? 0.0 : 1.0; }, Again::kEverything);
  if (!assumed_.empty()) {
    background_ = Learn([&](size_t test) { return Known(test) ? 1.0 : 0.0; }, Again::kEverything);
  }
}

bool Weighing::Known(size_t test) const { return HealthyOf(background_, test) != nullptr; }

Weighing::Background Weighing::Learn(const Factor& extra, Again again) const {
  Background learned;
  for (const TestKind kind : {TestKind::kPair, TestKind::kGroup}) {
    const auto known = background_.healthy.find(kind);
    if (again == Again::kWhereFew && known != background_.healthy.end() && tests_.at(kind) > kMaxTestsToRelearn) {
      learned.healthy.emplace(kind, known->second);
      continue;
    }
    const auto healthy = LearnHealthySpeed(Weights(kind, extra));
    if (healthy.ok()) learned.healthy.emplace(kind, *healthy);
  }
  Settle(learned);
  return learned;
}

const HealthySpeed* Weighing::HealthyOf(const Background& background, size_t test) const {
  const auto found = background.healthy.find(results_[test].kind);
  return found == background.healthy.end() ? nullptr : &found->second;
}

double Weighing::AssumedShift(size_t test) const {
  double shift = 0;
  for (const size_t fault : assumed_by_test_[test]) {
    if (assumed_[fault].symptom == Symptom::kSlow) shift = std::min(shift, assumed_[fault].shift);
  }
  return shift;
}

// Density of each speed with the assumed faults: the slowest of those that are active sets it.
void Weighing::Settle(Background& background) const {
  background.density.assign(results_.size(), std::numeric_limits<double>::quiet_NaN());
  for (size_t test = 0; test < results_.size(); ++test) {
    const HealthySpeed* healthy = HealthyOf(background, test);
    const double speed = results_[test].log_speed;
    if (healthy == nullptr || std::isnan(speed)) continue;
    double density = healthy->Density(speed);
    double shift = 0;
    for (const size_t index : assumed_by_test_[test]) {
      const Fault& fault = assumed_[index];
      if (fault.symptom != Symptom::kSlow) continue;
      shift = std::min(shift, fault.shift);
      density = fault.activity * healthy->Density(speed - shift) + (1 - fault.activity) * density;
    }
    background.density[test] = density;
  }
}

double Weighing::ChanceSpoiled(const Background& background, size_t test, const Fault& fault) const {
  const TestResult& result = results_[test];
  if (fault.symptom != Symptom::kSlow) return Has(result, fault.symptom) ? 1 : 0;
  const HealthySpeed* healthy = HealthyOf(background, test);
  if (healthy == nullptr || std::isnan(result.log_speed)) return 0;
  const double spoiled = fault.activity * healthy->Density(result.log_speed - fault.shift);
  return spoiled / (spoiled + (1 - fault.activity) * healthy->Density(result.log_speed));
}

std::vector<WeightedSpeed> Weighing::Weights(TestKind kind, const Factor& extra) const {
  std::vector<WeightedSpeed> speeds;
  for (size_t test = 0; test < results_.size(); ++test) {
    const TestResult& result = results_[test];
    if (result.kind != kind || std::isnan(result.log_speed)) continue;
    double weight = extra(test);
    for (const size_t index : assumed_by_test_[test]) {
      if (assumed_[index].symptom == Symptom::kSlow) weight *= 1 - ChanceSpoiled(background_, test, assumed_[index]);
    }
    speeds.push_back({result.log_speed, weight});
  }
  return speeds;
}

std::vector<size_t> Weighing::TestsTouched(const Culprit& culprit) const {
  if (culprit.kind == CulpritKind::kNode) return by_node_[static_cast<size_t>(culprit.first)];
  std::vector<size_t> tests;
  if (culprit.kind == CulpritKind::kLink) {
    const auto found = by_link_.find({culprit.first, culprit.second});
    if (found != by_link_.end()) tests = found->second;
    for (const size_t test : groups_) {
      if (Touches(culprit, topology_, results_[test].nodes)) tests.push_back(test);
    }
    return tests;
  }
  for (const int node : topology_.switches[static_cast<size_t>(culprit.first)]) {
    const std::vector<size_t>& of_node = by_node_[static_cast<size_t>(node)];
    tests.insert(tests.end(), of_node.begin(), of_node.end());
  }
  std::sort(tests.begin(), tests.end());
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
  std::erase_if(tests, [&](size_t test) { return !Touches(culprit, topology_, results_[test].nodes); });
  return tests;
}

// Slowdowns worth trying: what the slowest of these tests lack to either healthy mode.
std::vector<double> Weighing::Shifts(const Background& background, std::span<const size_t> tests) const {
  std::vector<double> shifts;
  for (const size_t test : tests) {
    const HealthySpeed* healthy = HealthyOf(background, test);
    if (healthy == nullptr || std::isnan(results_[test].log_speed)) continue;
    for (const double mode : {healthy->fast, healthy->slow}) {
      const double shift = results_[test].log_speed - mode;
      if (shift < -kLeastSlowdown && shift > -kSlowdownRange) shifts.push_back(shift);
      if (!healthy->two_modes()) break;
    }
  }
  std::sort(shifts.begin(), shifts.end());
  if (shifts.size() <= kMaxShifts) return shifts;
  std::vector<double> some;
  for (size_t i = 0; i < kMaxShifts; ++i) some.push_back(shifts[i * shifts.size() / kMaxShifts]);
  return some;
}

double Weighing::LogPrior(const Culprit& culprit) const {
  const double nodes = topology_.nodes;
  switch (culprit.kind) {
    case CulpritKind::kNode: return std::log(kPriorNode / nodes / kSymptoms);
    case CulpritKind::kLink: return std::log(kPriorLink / (nodes * (nodes - 1) / 2) / kSymptoms);
    case CulpritKind::kSwitch: return std::log(kPriorSwitch / static_cast<double>(topology_.switches.size()));
  }
  return -std::numeric_limits<double>::infinity();
}

WeighedFault Weighing::WeighSlow(const Background& background, const Culprit& culprit) const {
  WeighedFault best{{culprit, Symptom::kSlow, 0, 1}, -std::numeric_limits<double>::infinity()};
  std::vector<size_t> tests = TestsTouched(culprit);
  std::erase_if(tests, [&](size_t test) { return std::isnan(background.density[test]); });
  std::vector<double> ratios(tests.size());
  for (const double shift : Shifts(background, tests)) {
    double sigma = kMinHealthySigma;
    for (size_t i = 0; i < tests.size(); ++i) {
      const HealthySpeed& healthy = *HealthyOf(background, tests[i]);
      sigma = healthy.sigma;
      const double moved = results_[tests[i]].log_speed - std::min(shift, AssumedShift(tests[i]));
      ratios[i] = healthy.Density(moved) / background.density[tests[i]];
    }
    const Marginal marginal = OverActivities(shift, [&](double activity) {
      double sum = 0;
      for (const double ratio : ratios) sum += std::log(activity * ratio + 1 - activity);
      return sum;
    });
    // The slowdown was chosen after the fact, to about the width of a bell: sqrt(2 pi) sigma of the whole range.
    const double odds = marginal.log_likelihood - std::log(std::max(1.0, kSlowdownRange / (2.5 * sigma)));
    if (odds > best.log_odds) best = {{culprit, Symptom::kSlow, shift, marginal.activity}, odds};
  }
  best.log_odds += LogPrior(culprit);
  return best;
}

// The chance of this outcome in a test with the faults that are assumed.
double Weighing::OutcomeChance(size_t test, Symptom symptom) const {
  double without = 1 - kStrayOutcome;
  for (const size_t index : assumed_by_test_[test]) {
    if (assumed_[index].symptom == symptom) without *= 1 - assumed_[index].activity;
  }
  return 1 - without;
}

double Weighing::BlameFactor(const TestResult& result, const Culprit& culprit) const {
  if (result.blamed.empty() || culprit.kind == CulpritKind::kSwitch) return 1;
  const double nodes = static_cast<double>(result.nodes.size());
  const auto named = [&](int node) {
    return std::find(result.blamed.begin(), result.blamed.end(), node) != result.blamed.end();
  };
  if (!named(culprit.first) && !named(culprit.second)) return 1 - kBlameIsRight;
  return std::max(1.0, kBlameIsRight * nodes / static_cast<double>(result.blamed.size()));
}

WeighedFault Weighing::WeighOutcome(const Culprit& culprit, Symptom symptom) const {
  const std::vector<size_t> tests = TestsTouched(culprit);
  const Marginal marginal = OverActivities(-1, [&](double activity) {
    double sum = 0;
    for (const size_t test : tests) {
      const TestResult& result = results_[test];
      if (!Shows(result, symptom)) continue;
      const double before = OutcomeChance(test, symptom);
      if (!Has(result, symptom)) {
        sum += std::log(1 - activity);
      } else {
        sum += std::log((activity + (1 - activity) * before) / before * BlameFactor(result, culprit));
      }
    }
    return sum;
  });
  return {{culprit, symptom, 0, marginal.activity}, marginal.log_likelihood + LogPrior(culprit)};
}

// Faulty tests, when they are many, look like a slow mode of healthy ones and then speak for nobody. So what is healthy
// is learned again, first without any test that the fault would touch, then without those that it spoils by that view,
// and both views are compared as a whole.
WeighedFault Weighing::Relearn(const WeighedFault& plain) const {
  const Culprit& culprit = plain.fault.culprit;
  const Background untouched = Learn(
      [&](size_t test) { return Touches(culprit, topology_, results_[test].nodes) ? 0.0 : 1.0; }, Again::kWhereFew);
  const Fault first = WeighSlow(untouched, culprit).fault;
  const Background other = Learn(
      [&](size_t test) {
        const bool known = HealthyOf(untouched, test) != nullptr;
        if (!Touches(culprit, topology_, results_[test].nodes)) return known ? 1.0 : 0.0;
        return known ? 1 - ChanceSpoiled(untouched, test, first) : 0.0;
      },
      Again::kWhereFew);
  // A kind of which nothing is left says nothing for or against.
  double gain = 0;
  for (const auto& [kind, learned] : other.healthy) {
    const auto healthy = background_.healthy.find(kind);
    if (healthy == background_.healthy.end()) continue;
    const double modes = (healthy->second.two_modes() ? 1.0 : 0.0) - (learned.two_modes() ? 1.0 : 0.0);
    gain += modes * std::log(std::max(static_cast<double>(tests_.at(kind)), 2.0));
  }
  for (size_t test = 0; test < results_.size(); ++test) {
    if (std::isnan(other.density[test]) || std::isnan(background_.density[test])) continue;
    gain += std::log(other.density[test] / background_.density[test]);
  }
  WeighedFault again = WeighSlow(other, culprit);
  again.log_odds += gain;
  return again.log_odds > plain.log_odds ? again : plain;
}

std::vector<double> Weighing::Surprise() const {
  std::vector<double> surprise(results_.size(), 0);
  for (size_t test = 0; test < results_.size(); ++test) {
    if (std::isnan(background_.density[test])) continue;
    const double speed = results_[test].log_speed - AssumedShift(test);
    surprise[test] = std::max(0.0, -std::log(2 * HealthyOf(background_, test)->ChanceBelow(speed)));
  }
  return surprise;
}

Region Weighing::FindRegion() const {
  const std::vector<double> surprise = Surprise();
  std::vector<int> region;
  // The latest first: they were chosen knowing the others. Tests of another fault have next to nothing in common.
  for (auto test = groups_.rbegin(); test != groups_.rend(); ++test) {
    if (surprise[*test] < kUnexplained) continue;
    const std::vector<int>& nodes = results_[*test].nodes;
    if (region.empty()) region = nodes;
    std::vector<int> common;
    std::set_intersection(region.begin(), region.end(), nodes.begin(), nodes.end(), std::back_inserter(common));
    if (common.size() > 1) region = std::move(common);
  }
  Region found{.nodes = region, .open_links = OpenLinks(region, surprise)};
  const double links = static_cast<double>(region.size() * (region.size() - 1)) / 2;
  if (static_cast<double>(found.open_links.size()) < kLeastOpenShare * links) return {};
  return found;
}

// Links that took part in no test that was as fast as healthy ones are.
std::vector<std::pair<int, int>> Weighing::OpenLinks(const std::vector<int>& nodes,
                                                     const std::vector<double>& surprise) const {
  const size_t count = nodes.size();
  std::vector<bool> cleared(count * count, false);
  for (size_t test = 0; test < results_.size(); ++test) {
    if (surprise[test] > kHealthySurprise || std::isnan(background_.density[test])) continue;
    std::vector<size_t> inside;
    for (const int node : results_[test].nodes) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), node);
      if (place != nodes.end() && *place == node) inside.push_back(static_cast<size_t>(place - nodes.begin()));
    }
    for (const size_t i : inside) {
      for (const size_t j : inside) cleared[i * count + j] = true;
    }
  }
  std::vector<std::pair<int, int>> open;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      if (!cleared[i * count + j]) open.emplace_back(nodes[i], nodes[j]);
    }
  }
  return open;
}

// Links whose tests surprise: of pairs, and all within a group that is small enough to try each.
void Weighing::AddLinkCandidates(const std::vector<double>& surprise, std::vector<WeighedFault>& weighed) const {
  std::set<std::pair<int, int>> links;
  for (size_t test = 0; test < results_.size(); ++test) {
    const std::vector<int>& nodes = results_[test].nodes;
    if (surprise[test] < kWorthWeighing || nodes.size() > kMaxNodesToTryLinks) continue;
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t j = i + 1; j < nodes.size(); ++j) links.emplace(nodes[i], nodes[j]);
    }
  }
  const Region region = FindRegion();
  if (region.nodes.size() <= kMaxNodesToTryLinks) links.insert(region.open_links.begin(), region.open_links.end());
  for (const auto& [first, second] : links) {
    weighed.push_back(WeighSlow(background_, {CulpritKind::kLink, first, second}));
  }
}

void Weighing::AddSlowCandidates(std::vector<WeighedFault>& weighed) const {
  const std::vector<double> surprise = Surprise();
  const auto total = [&](const std::vector<size_t>& tests) {
    double sum = 0;
    for (const size_t test : tests) sum += surprise[test];
    return sum;
  };
  for (int node = 0; node < topology_.nodes; ++node) {
    if (total(by_node_[static_cast<size_t>(node)]) < kWorthWeighing) continue;
    weighed.push_back(WeighSlow(background_, {CulpritKind::kNode, node, -1}));
  }
  AddLinkCandidates(surprise, weighed);
  // A switch may spoil so many tests that they pass for the healthy ones: it is weighed whether they surprise or not.
  for (size_t index = 0; index < topology_.switches.size(); ++index) {
    const size_t behind = topology_.switches[index].size();
    if (behind < 2 || behind >= static_cast<size_t>(topology_.nodes)) continue;
    weighed.push_back(WeighSlow(background_, {CulpritKind::kSwitch, static_cast<int>(index), -1}));
  }
  // A switch touches so many tests that it makes a slow mode of its own: it is always among those that are tried.
  std::sort(weighed.begin(), weighed.end(), [](const WeighedFault& a, const WeighedFault& b) {
    const bool a_is_switch = a.fault.culprit.kind == CulpritKind::kSwitch;
    const bool b_is_switch = b.fault.culprit.kind == CulpritKind::kSwitch;
    return std::pair(a_is_switch, a.log_odds) > std::pair(b_is_switch, b.log_odds);
  });
  const size_t tried = std::min({weighed.size(), kCandidatesToRelearn + topology_.switches.size(), kMaxRelearned});
  for (size_t i = 0; i < tried; ++i) weighed[i] = Relearn(weighed[i]);
}

void Weighing::AddOutcomeCandidates(std::vector<WeighedFault>& weighed) const {
  std::set<std::pair<Culprit, Symptom>> seen;
  const auto add = [&](const Culprit& culprit, Symptom symptom) {
    if (seen.emplace(culprit, symptom).second) weighed.push_back(WeighOutcome(culprit, symptom));
  };
  for (const TestResult& result : results_) {
    const Symptom symptom = SymptomOf(result.outcome);
    if (symptom == Symptom::kSlow) continue;
    for (const int node : result.nodes) add({CulpritKind::kNode, node, -1}, symptom);
    if (result.nodes.size() > kMaxNodesToTryLinks) continue;
    for (size_t i = 0; i < result.nodes.size(); ++i) {
      for (size_t j = i + 1; j < result.nodes.size(); ++j) {
        add({CulpritKind::kLink, result.nodes[i], result.nodes[j]}, symptom);
      }
    }
  }
}

std::vector<WeighedFault> Weighing::WeighAll() const {
  std::vector<WeighedFault> weighed;
  AddSlowCandidates(weighed);
  AddOutcomeCandidates(weighed);
  // What is assumed already is no further fault; it may look like one when it flaps.
  std::erase_if(weighed, [&](const WeighedFault& candidate) {
    return std::any_of(assumed_.begin(), assumed_.end(), [&](const Fault& fault) {
      return fault.culprit == candidate.fault.culprit && fault.symptom == candidate.fault.symptom;
    });
  });
  std::sort(weighed.begin(), weighed.end(),
            [](const WeighedFault& a, const WeighedFault& b) { return a.log_odds > b.log_odds; });
  return weighed;
}

std::vector<size_t> Weighing::Spoiled(const Fault& fault) const {
  std::vector<size_t> spoiled;
  for (const size_t test : TestsTouched(fault.culprit)) {
    if (ChanceSpoiled(background_, test, fault) > 0.5) spoiled.push_back(test);
  }
  return spoiled;
}

}  // namespace ashlar::stats
