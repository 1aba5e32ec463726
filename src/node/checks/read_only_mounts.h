// Is a file system read-only that should not be?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section read-only-mounts. Never throws; any thread.
std::vector<base::Finding> CheckReadOnlyMounts(const CheckContext& context);

}  // namespace ashlar::node
