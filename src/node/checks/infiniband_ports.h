// Are the InfiniBand ports active, at their rate?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section infiniband-ports. Never throws; any thread.
std::vector<base::Finding> CheckInfinibandPorts(const CheckContext& context);

}  // namespace ashlar::node
