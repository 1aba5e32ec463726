// Faults that a drill makes, as a person writes them.
//
// No state; any thread.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/injection.h"
#include "bench/validate/node_tester.h"
#include "stats/stats.h"

namespace ashlar::bench {

// "slow_link:2-5:0.4,hang:3": KIND:PLACE[:SHARE] with commas. Kinds: slow_rank, slow_link, slow_switch, corrupt, hang,
// crash, throttled, flapping. PLACE is a node's number, two with a dash for a link, a switch's number for slow_switch;
// SHARE is what is left of the speed (default 0.5; corrupt, hang and crash have none). A flapping node spoils 70 % of
// its tests. kInvalidArgument names the fault that is wrong.
base::StatusOr<std::vector<stats::SimulatedFault>> ParseDrill(std::string_view text, const stats::Topology& topology);

// What these faults do to the ranks of one test, as --inject of the collectives takes it; `ranks_per_node` ranks of
// each node in the order of `test`. `random` decides for faults that come and go.
std::string RankFaultsText(const std::vector<stats::SimulatedFault>& faults, const stats::Topology& topology,
                           const std::vector<int>& test, int ranks_per_node, std::mt19937_64& random);

}  // namespace ashlar::bench
