// Tests of nodes by real collectives: local processes that stand for nodes, or hosts over MPI.
//
// One thread calls; the tests of a round run at the same time where nodes are machines of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/base.h"
#include "bench/coll/hostfile.h"
#include "bench/validate/node_tester.h"
#include "stats/stats.h"

namespace ashlar::bench {

struct CollectiveTesterOptions {
  int local_nodes = 0;           // so many processes of this machine, each taken for a node; 0: `hosts`
  std::vector<HostSlots> hosts;  // machines, with their slots: the same number of ranks on each
  std::vector<std::vector<int>> switches;
  std::string collective = "alltoall";  // uses every link of a group
  std::string size = "4M";
  std::string inject;                     // ParseDrill's form
  uint64_t seed = 1;                      // of faults that come and go
  std::vector<std::string> rank_command;  // as CollectiveRequest's
};

// kInvalidArgument for bad options, hosts of different sizes among them.
base::StatusOr<std::unique_ptr<NodeTester>> MakeCollectiveTester(CollectiveTesterOptions options);

}  // namespace ashlar::bench
