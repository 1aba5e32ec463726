// Is the machine swapping?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section swap. Never throws; any thread.
std::vector<base::Finding> CheckSwap(const CheckContext& context);

}  // namespace ashlar::node
