// Is the machine busier than its processors allow?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section load. Never throws; any thread.
std::vector<base::Finding> CheckLoad(const CheckContext& context);

}  // namespace ashlar::node
