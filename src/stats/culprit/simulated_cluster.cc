#include "stats/culprit/simulated_cluster.h"

#include <algorithm>
#include <cmath>

namespace ashlar::stats {
namespace {

double Between(double low, double high, std::mt19937_64& random) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

int Below(int end, std::mt19937_64& random) { return std::uniform_int_distribution<int>(0, end - 1)(random); }

bool Happens(double chance, std::mt19937_64& random) { return Between(0, 1, random) < chance; }

Culprit RandomPlace(FaultKind kind, const Topology& topology, std::mt19937_64& random) {
  if (kind == FaultKind::kSlowLink) {
    const int first = Below(topology.nodes, random);
    const int other = Below(topology.nodes - 1, random);
    const int second = other < first ? other : other + 1;
    return {CulpritKind::kLink, std::min(first, second), std::max(first, second)};
  }
  if (kind == FaultKind::kSlowSwitch) {
    // A switch with one node is that node's link: nobody could tell them apart.
    int index = 0;
    do {
      index = Below(static_cast<int>(topology.switches.size()), random);
    } while (topology.switches[static_cast<size_t>(index)].size() < 2);
    return {CulpritKind::kSwitch, index, -1};
  }
  return {CulpritKind::kNode, Below(topology.nodes, random), -1};
}

void Spoil(const SimulatedFault& fault, TestResult& result, double& speed_left) {
  switch (fault.kind) {
    case FaultKind::kCorruptData:
      if (result.outcome == TestOutcome::kFinished) result.outcome = TestOutcome::kWrongData;
      return;
    case FaultKind::kHang: result.outcome = TestOutcome::kHung; return;
    case FaultKind::kCrash: result.outcome = TestOutcome::kCrashed; return;
    default: speed_left = std::min(speed_left, fault.speed_left); return;
  }
}

}  // namespace

std::string_view FaultKindName(FaultKind kind) {
  switch (kind) {
    case FaultKind::kSlowNode: return "slow_rank";
    case FaultKind::kSlowLink: return "slow_link";
    case FaultKind::kSlowSwitch: return "slow_switch";
    case FaultKind::kCorruptData: return "corrupt";
    case FaultKind::kHang: return "hang";
    case FaultKind::kCrash: return "crash";
    case FaultKind::kThrottledClock: return "throttled";
    case FaultKind::kFlapping: return "flapping";
  }
  return "unknown";
}

SimulatedCluster MakeSimulatedCluster(int nodes, int per_switch, std::mt19937_64& random) {
  SimulatedCluster cluster;
  cluster.topology.nodes = nodes;
  for (int node = 0; node < nodes; ++node) {
    if (node % per_switch == 0) cluster.topology.switches.emplace_back();
    cluster.topology.switches.back().push_back(node);
  }
  cluster.slow_mode = Between(0.78, 0.88, random);
  cluster.slow_share = Between(0.2, 0.8, random);
  return cluster;
}

SimulatedFault RandomFault(FaultKind kind, const SimulatedCluster& cluster, std::mt19937_64& random) {
  SimulatedFault fault;
  fault.kind = kind;
  do {
    fault.culprit = RandomPlace(kind, cluster.topology, random);
  } while (std::any_of(cluster.faults.begin(), cluster.faults.end(),
                       [&](const SimulatedFault& other) { return other.culprit == fault.culprit; }));
  switch (kind) {
    case FaultKind::kSlowNode:
    case FaultKind::kSlowLink:
    case FaultKind::kSlowSwitch: fault.speed_left = Between(0.3, 0.7, random); break;
    case FaultKind::kThrottledClock: fault.speed_left = Between(0.5, 0.75, random); break;
    case FaultKind::kFlapping:
      fault.speed_left = Between(0.2, 0.6, random);
      fault.activity = Between(0.5, 0.9, random);
      break;
    case FaultKind::kCorruptData: fault.activity = Between(0.5, 1, random); break;
    case FaultKind::kHang:
    case FaultKind::kCrash: break;
  }
  return fault;
}

TestResult RunSimulated(const SimulatedCluster& cluster, const PlannedTest& test, std::mt19937_64& random) {
  TestResult result{.kind = test.kind, .nodes = test.nodes};
  double speed_left = 1;
  for (const SimulatedFault& fault : cluster.faults) {
    if (!Touches(fault.culprit, cluster.topology, test.nodes) || !Happens(fault.activity, random)) continue;
    Spoil(fault, result, speed_left);
    const bool names = result.outcome == TestOutcome::kHung || result.outcome == TestOutcome::kCrashed;
    if (names && fault.culprit.kind == CulpritKind::kNode && Happens(cluster.blames, random)) {
      result.blamed.push_back(fault.culprit.first);
    }
  }
  const double mode = Happens(cluster.slow_share, random) ? cluster.slow_mode : 1;
  const double noise = std::normal_distribution<double>(0, cluster.noise)(random);
  if (result.outcome == TestOutcome::kFinished || result.outcome == TestOutcome::kWrongData) {
    result.log_speed = std::log(mode * speed_left) + std::log1p(std::max(noise, -0.9));
  }
  return result;
}

}  // namespace ashlar::stats
