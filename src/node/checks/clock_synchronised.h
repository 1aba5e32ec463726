// Is the clock synchronised?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section clock-synchronised. Never throws; any thread.
std::vector<base::Finding> CheckClockSynchronised(const CheckContext& context);

}  // namespace ashlar::node
