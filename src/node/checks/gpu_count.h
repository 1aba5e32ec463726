// Are all GPUs there?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section gpu-count. Never throws; any thread.
std::vector<base::Finding> CheckGpuCount(const CheckContext& context);

}  // namespace ashlar::node
