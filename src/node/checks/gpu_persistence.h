// Is persistence mode on?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section gpu-persistence. Never throws; any thread.
std::vector<base::Finding> CheckGpuPersistence(const CheckContext& context);

}  // namespace ashlar::node
