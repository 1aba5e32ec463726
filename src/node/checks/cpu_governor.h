// Do the processors run at full frequency?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section cpu-governor. Never throws; any thread.
std::vector<base::Finding> CheckCpuGovernor(const CheckContext& context);

}  // namespace ashlar::node
