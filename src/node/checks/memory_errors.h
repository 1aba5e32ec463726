// Has the memory had errors since boot (EDAC)?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section memory-errors. Never throws; any thread.
std::vector<base::Finding> CheckMemoryErrors(const CheckContext& context);

}  // namespace ashlar::node
