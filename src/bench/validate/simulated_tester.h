// Nodes that are not there: for trying out a drill, and for seeing how many rounds a cluster of a size needs.
#pragma once

#include <memory>
#include <string>

#include "base/base.h"
#include "bench/validate/node_tester.h"

namespace ashlar::bench {

struct SimulatedTesterOptions {
  int nodes = 17;
  int nodes_per_switch = 4;
  std::string inject;  // ParseDrill's form
  uint64_t seed = 1;
};

// Speeds of stats::MakeSimulatedCluster: 5 % noise and two healthy modes. kInvalidArgument for bad options.
base::StatusOr<std::unique_ptr<NodeTester>> MakeSimulatedTester(const SimulatedTesterOptions& options);

}  // namespace ashlar::bench
