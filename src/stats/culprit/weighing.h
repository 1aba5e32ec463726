// How much a set of test results speaks for a fault.
//
// Bayes' rule over single faults: a prior for each place, times how likely the results are with the fault against
// without it, faults that are already assumed being there in both. A slow fault moves ln(speed) of the tests it touches
// by one amount, in all of them or in a share (a fault that flaps); the amount is taken from the tests and paid for.
// What is healthy is learned anew for each set of assumed faults. Not for sharing between threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "stats/culprit/evidence.h"
#include "stats/culprit/healthy_speed.h"

namespace ashlar::stats {

// A fault as it is assumed to be.
struct Fault {
  Culprit culprit;
  Symptom symptom = Symptom::kSlow;
  double shift = 0;     // kSlow: what it takes from ln(speed); negative
  double activity = 1;  // share of the tests it touches that it spoils
};

struct WeighedFault {
  Fault fault;
  double log_odds = 0;  // ln of (chance that it is there / chance that nothing more is there)
};

class Weighing {
 public:
  // Both must outlive this. Results name nodes of the topology only.
  Weighing(const Topology& topology, std::span<const TestResult> results);

  // Takes these faults for granted, and learns what is healthy without the tests they spoiled.
  void Assume(std::vector<Fault> faults);

  // Every place that could explain what the assumed faults leave unexplained, the most likely first.
  std::vector<WeighedFault> WeighAll() const;

  // Tests that this fault most likely spoiled, by index.
  std::vector<size_t> Spoiled(const Fault& fault) const;

  // For each test how much slower it is than the assumed faults and chance explain, as -ln of twice the chance: 0 when
  // it is not slower, or has no speed that can be compared.
  std::vector<double> Surprise() const;

  // Where a slow link hides that nothing assumed explains: among the nodes that the slow tests of groups have in
  // common. Empty when there are none, or when healthy tests have cleared nearly all links between them.
  Region FindRegion() const;

  // What is healthy in tests of a kind, where enough is known.
  const std::map<TestKind, HealthySpeed>& healthy() const { return background_.healthy; }

 private:
  // The view of all speeds for one idea of what is healthy.
  struct Background {
    std::map<TestKind, HealthySpeed> healthy;
    std::vector<double> density;  // of each speed with the assumed faults; not a number without a speed
  };
  bool Known(size_t test) const;
  const HealthySpeed* HealthyOf(const Background& background, size_t test) const;
  double AssumedShift(size_t test) const;
  double ChanceSpoiled(const Background& background, size_t test, const Fault& fault) const;
  // Speeds of a kind, each with the chance that no assumed fault spoiled it, times what `extra` gives.
  using Factor = std::function<double(size_t test)>;
  std::vector<WeightedSpeed> Weights(TestKind kind, const Factor& extra) const;
  enum class Again { kEverything, kWhereFew };  // what is known of kinds with many tests may stay as it is
  Background Learn(const Factor& extra, Again again) const;
  void Settle(Background& background) const;

  std::vector<size_t> TestsTouched(const Culprit& culprit) const;
  std::vector<double> Shifts(const Background& background, std::span<const size_t> tests) const;
  WeighedFault WeighSlow(const Background& background, const Culprit& culprit) const;
  WeighedFault WeighOutcome(const Culprit& culprit, Symptom symptom) const;
  WeighedFault Relearn(const WeighedFault& plain) const;
  double OutcomeChance(size_t test, Symptom symptom) const;
  double BlameFactor(const TestResult& result, const Culprit& culprit) const;
  double LogPrior(const Culprit& culprit) const;

  void AddLinkCandidates(const std::vector<double>& surprise, std::vector<WeighedFault>& weighed) const;
  std::vector<std::pair<int, int>> OpenLinks(const std::vector<int>& nodes, const std::vector<double>& surprise) const;
  void AddSlowCandidates(std::vector<WeighedFault>& weighed) const;
  void AddOutcomeCandidates(std::vector<WeighedFault>& weighed) const;

  const Topology& topology_;
  const std::span<const TestResult> results_;
  std::vector<std::vector<size_t>> by_node_;
  std::map<std::pair<int, int>, std::vector<size_t>> by_link_;  // tests of just these two
  std::vector<size_t> groups_;                                  // tests of more than two
  std::map<TestKind, size_t> tests_;                            // with a speed
  std::vector<Fault> assumed_;
  std::vector<std::vector<size_t>> assumed_by_test_;  // indexes into assumed_
  Background background_;
};

}  // namespace ashlar::stats
