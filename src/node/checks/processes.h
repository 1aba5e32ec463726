// Are processes stuck, dead or running away?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section processes. Never throws; any thread.
std::vector<base::Finding> CheckProcesses(const CheckContext& context);

}  // namespace ashlar::node
