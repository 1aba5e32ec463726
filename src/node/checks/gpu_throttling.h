// Is a GPU held back?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section gpu-throttling. Never throws; any thread.
std::vector<base::Finding> CheckGpuThrottling(const CheckContext& context);

}  // namespace ashlar::node
