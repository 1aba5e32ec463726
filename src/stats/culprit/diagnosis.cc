#include "stats/culprit/diagnosis.h"

#include <algorithm>
#include <cmath>

#include "stats/culprit/limits.h"
#include "stats/culprit/weighing.h"

namespace ashlar::stats {
namespace {

base::Status CheckNodes(std::span<const int> nodes, int count, std::string_view what, size_t index) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0 || nodes[i] >= count) {
      return base::Error(base::StatusCode::kInvalidArgument, "{} {} names node {}: there are {}, from 0", what, index,
                         nodes[i], count);
    }
    if (i > 0 && nodes[i] <= nodes[i - 1]) {
      return base::Error(base::StatusCode::kInvalidArgument, "{} {}: node {} after {}: they must ascend", what, index,
                         nodes[i], nodes[i - 1]);
    }
  }
  if (!nodes.empty()) return base::OkStatus();
  return base::Error(base::StatusCode::kInvalidArgument, "{} {} has no nodes", what, index);
}

base::Status Check(const Topology& topology, std::span<const TestResult> results) {
  for (size_t i = 0; i < topology.switches.size(); ++i) {
    ASHLAR_RETURN_IF_ERROR(CheckNodes(topology.switches[i], topology.nodes, "switch", i));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    ASHLAR_RETURN_IF_ERROR(CheckNodes(results[i].nodes, topology.nodes, "test", i));
  }
  return base::OkStatus();
}

// The chance that one of these faults is there, and each one's share of it: from odds in logarithms.
struct Chances {
  double any = 0;
  std::vector<double> shares;
};

Chances FromOdds(std::span<const WeighedFault> weighed) {
  Chances chances;
  if (weighed.empty()) return chances;
  double top = 0;  // ln of the odds of "nothing more"
  for (const WeighedFault& fault : weighed) top = std::max(top, fault.log_odds);
  double sum = 0;
  for (const WeighedFault& fault : weighed) chances.shares.push_back(std::exp(fault.log_odds - top));
  for (const double share : chances.shares) sum += share;
  const double nothing = std::exp(-top);
  chances.any = sum / (sum + nothing);
  for (double& share : chances.shares) share = sum > 0 ? share / sum : 0;
  return chances;
}

std::vector<Fault> Without(const std::vector<Fault>& faults, size_t index) {
  std::vector<Fault> others = faults;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
  return others;
}

// The faults that would explain these tests too: the same symptom, and a test in common.
std::vector<WeighedFault> Rivals(const Weighing& weighing, const Topology& topology,
                                 std::span<const TestResult> results, Symptom symptom,
                                 const std::vector<size_t>& support) {
  std::vector<WeighedFault> rivals = weighing.WeighAll();
  std::erase_if(rivals, [&](const WeighedFault& rival) {
    return rival.fault.symptom != symptom || std::none_of(support.begin(), support.end(), [&](size_t test) {
             return Touches(rival.fault.culprit, topology, results[test].nodes);
           });
  });
  return rivals;
}

class Search {
 public:
  Search(const Topology& topology, std::span<const TestResult> results)
      : topology_(topology), results_(results), weighing_(topology, results) {}

  Diagnosis Run() {
    Collect();
    // Taking one back may leave another without support, so this is done until all stand.
    while (!AllStand()) {
    }
    Diagnosis diagnosis;
    const std::vector<std::vector<size_t>> supports = Supports();
    for (size_t i = 0; i < faults_.size(); ++i) diagnosis.accusations.push_back(Accuse(i, supports[i]));
    weighing_.Assume(faults_);
    const std::vector<WeighedFault> rest = weighing_.WeighAll();
    const Chances chances = FromOdds(rest);
    for (size_t i = 0; i < rest.size() && i < kMaxHints; ++i) {
      const double probability = chances.any * chances.shares[i];
      if (probability < kHint) break;
      std::vector<Doubt>& list = probability >= kDoubt ? diagnosis.doubts : diagnosis.hints;
      list.push_back({{rest[i].fault.culprit, probability, rest[i].fault.activity}, rest[i].fault.symptom});
    }
    if (diagnosis.doubts.empty()) diagnosis.region = weighing_.FindRegion();
    diagnosis.healthy = weighing_.healthy();
    return diagnosis;
  }

 private:
  void Collect() {
    while (faults_.size() < kMaxAccusations) {
      weighing_.Assume(faults_);
      const std::vector<WeighedFault> weighed = weighing_.WeighAll();
      if (weighed.empty() || FromOdds(weighed).any < kAccuse) return;
      faults_.push_back(weighed.front().fault);
    }
  }

  // False when an accusation did not stand with the others assumed, and was taken back.
  bool AllStand() {
    const std::vector<std::vector<size_t>> supports = Supports();
    for (size_t i = 0; i < faults_.size(); ++i) {
      weighing_.Assume(Without(faults_, i));
      const std::vector<WeighedFault> rivals = Rivals(weighing_, topology_, results_, faults_[i].symptom, supports[i]);
      if (rivals.empty() || FromOdds(rivals).any < kAccuse) {
        faults_ = Without(faults_, i);
        return false;
      }
      faults_[i] = rivals.front().fault;
    }
    return true;
  }

  // What each fault spoiled, as it looks when all are assumed: without one, what it spoils may pass for healthy.
  std::vector<std::vector<size_t>> Supports() {
    weighing_.Assume(faults_);
    std::vector<std::vector<size_t>> supports;
    for (const Fault& fault : faults_) supports.push_back(weighing_.Spoiled(fault));
    return supports;
  }

  Accusation Accuse(size_t index, const std::vector<size_t>& support) {
    const Fault& fault = faults_[index];
    weighing_.Assume(Without(faults_, index));
    const std::vector<WeighedFault> rivals = Rivals(weighing_, topology_, results_, fault.symptom, support);
    const Chances chances = FromOdds(rivals);
    Accusation accusation;
    accusation.symptom = fault.symptom;
    accusation.confidence = chances.any;
    accusation.speed_left = std::exp(fault.shift);
    accusation.activity = fault.activity;
    accusation.support = support;
    double held = 0;
    for (size_t i = 0; i < rivals.size() && held < kPin; ++i) {
      held += chances.shares[i];
      accusation.candidates.push_back(
          {rivals[i].fault.culprit, chances.any * chances.shares[i], rivals[i].fault.activity});
    }
    return accusation;
  }

  const Topology& topology_;
  const std::span<const TestResult> results_;
  Weighing weighing_;
  std::vector<Fault> faults_;
};

}  // namespace

base::StatusOr<Diagnosis> Diagnose(const Topology& topology, std::span<const TestResult> results) {
  ASHLAR_RETURN_IF_ERROR(Check(topology, results));
  return Search(topology, results).Run();
}

}  // namespace ashlar::stats
