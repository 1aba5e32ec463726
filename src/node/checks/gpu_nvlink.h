// Are all NVLinks active that the design has?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section gpu-nvlink. Never throws; any thread.
std::vector<base::Finding> CheckGpuNvlink(const CheckContext& context);

}  // namespace ashlar::node
