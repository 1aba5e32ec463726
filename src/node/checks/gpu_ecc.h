// Is ECC on, and the GPU memory free of errors?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section gpu-ecc. Never throws; any thread.
std::vector<base::Finding> CheckGpuEcc(const CheckContext& context);

}  // namespace ashlar::node
