// Has the kernel recorded a fault since boot?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section kernel-taint. Never throws; any thread.
std::vector<base::Finding> CheckKernelTaint(const CheckContext& context);

}  // namespace ashlar::node
