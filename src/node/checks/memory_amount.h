// Is all of the machine's memory there?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section memory-amount. Never throws; any thread.
std::vector<base::Finding> CheckMemoryAmount(const CheckContext& context);

}  // namespace ashlar::node
