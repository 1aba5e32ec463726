// Do the limits of a process allow what jobs need?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section process-limits. Never throws; any thread.
std::vector<base::Finding> CheckProcessLimits(const CheckContext& context);

}  // namespace ashlar::node
