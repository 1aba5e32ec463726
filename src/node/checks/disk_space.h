// Has every disk file system room left?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section disk-space. Never throws; any thread.
std::vector<base::Finding> CheckDiskSpace(const CheckContext& context);

}  // namespace ashlar::node
