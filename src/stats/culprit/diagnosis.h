// Who is at fault: the fewest places that explain all test results, how sure that is, and what else would explain them.
//
// Greedy: the likeliest fault is assumed and the rest weighed again, until nothing more is likely enough; then each
// accusation must stand again with only the others assumed. Where two places explain the same tests, both are named:
// "cannot tell" is an answer. No state; any thread.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "base/base.h"
#include "stats/culprit/evidence.h"
#include "stats/culprit/healthy_speed.h"

namespace ashlar::stats {

struct Suspect {
  Culprit culprit;
  double probability = 0;
  double activity = 1;  // share of the tests it touches that it would spoil
};

struct Accusation {
  Symptom symptom = Symptom::kSlow;
  // The fewest places that hold kPin of the chance, the likeliest first. One: it is pinned.
  std::vector<Suspect> candidates;
  double confidence = 0;        // that there is such a fault at all, 0 to 1
  double speed_left = 1;        // of a slow fault: bandwidth with it over bandwidth without
  double activity = 1;          // share of the tests it touched that it spoiled; below 0.9 it flaps
  std::vector<size_t> support;  // tests it most likely spoiled, by index
  bool pinned() const { return candidates.size() == 1; }
};

// A place that is not accused and has some chance to be at fault.
struct Doubt {
  Suspect suspect;
  Symptom symptom = Symptom::kSlow;
};

struct Diagnosis {
  std::vector<Accusation> accusations;
  std::vector<Doubt> doubts;  // neither accused nor cleared: at least kDoubt; the likeliest first
  std::vector<Doubt> hints;   // less likely than a doubt, at least kHint: worth a look where it costs nothing
  // Where something slow hides that is neither a doubt nor accused, and chance hardly; empty when there is no such
  // thing.
  Region region;
  std::map<TestKind, HealthySpeed> healthy;
};

// kInvalidArgument when a result or a switch names a node that is not there, or nodes are not in ascending order.
base::StatusOr<Diagnosis> Diagnose(const Topology& topology, std::span<const TestResult> results);

}  // namespace ashlar::stats
