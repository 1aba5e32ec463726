// Are all processors there and online?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section cpu-count. Never throws; any thread.
std::vector<base::Finding> CheckCpuCount(const CheckContext& context);

}  // namespace ashlar::node
