// Is everything mounted that must be?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section required-mounts. Never throws; any thread.
std::vector<base::Finding> CheckRequiredMounts(const CheckContext& context);

}  // namespace ashlar::node
