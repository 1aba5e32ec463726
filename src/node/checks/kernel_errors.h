// What faults does the kernel's log hold?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section kernel-errors. Never throws; any thread.
std::vector<base::Finding> CheckKernelErrors(const CheckContext& context);

}  // namespace ashlar::node
