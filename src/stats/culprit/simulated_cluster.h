// A cluster that is not there, with faults that are known: for drills, tests and the benchmark of culprit finding.
//
// Every test of nodes has a speed: one of two healthy modes by chance, noise, and what the faults take that it touches.
// All randomness comes from the seed. Not for sharing between threads.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "stats/culprit/evidence.h"

namespace ashlar::stats {

enum class FaultKind {
  kSlowNode,
  kSlowLink,
  kSlowSwitch,
  kCorruptData,
  kHang,
  kCrash,
  kThrottledClock,
  kFlapping,
};
inline constexpr FaultKind kAllFaultKinds[] = {
    FaultKind::kSlowNode, FaultKind::kSlowLink, FaultKind::kSlowSwitch,     FaultKind::kCorruptData,
    FaultKind::kHang,     FaultKind::kCrash,    FaultKind::kThrottledClock, FaultKind::kFlapping,
};
std::string_view FaultKindName(FaultKind kind);  // "slow_link"

struct SimulatedFault {
  FaultKind kind = FaultKind::kSlowNode;
  Culprit culprit;
  double speed_left = 1;  // bandwidth with the fault over bandwidth without
  double activity = 1;    // share of the tests that it spoils
};

struct SimulatedCluster {
  Topology topology;
  std::vector<SimulatedFault> faults;
  double noise = 0.05;      // standard deviation of a healthy speed over the speed
  double slow_mode = 0.82;  // speed in the slow mode over that in the fast one
  double slow_share = 0.5;  // of tests in the slow mode
  double blames = 0;        // how often a run that hangs or crashes names the node
};

// Nodes behind switches of `per_switch` nodes each, the last with what is left. Healthy speeds have two modes: the slow
// one has 78 to 88 % of the fast one and 20 to 80 % of the tests.
SimulatedCluster MakeSimulatedCluster(int nodes, int per_switch, std::mt19937_64& random);

// A fault of this kind somewhere in the cluster, not where one is already: slow ones leave 30 to 70 % of the speed
// (throttled clocks 50 to 75 %), flapping spoils 50 to 90 % of tests, corruption shows in half to all of them.
SimulatedFault RandomFault(FaultKind kind, const SimulatedCluster& cluster, std::mt19937_64& random);

// Runs one test.
TestResult RunSimulated(const SimulatedCluster& cluster, const PlannedTest& test, std::mt19937_64& random);

}  // namespace ashlar::stats
