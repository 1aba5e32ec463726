// Is automatic NUMA balancing set as it should be?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section numa-balancing. Never throws; any thread.
std::vector<base::Finding> CheckNumaBalancing(const CheckContext& context);

}  // namespace ashlar::node
