// Has every disk file system inodes left?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section disk-inodes. Never throws; any thread.
std::vector<base::Finding> CheckDiskInodes(const CheckContext& context);

}  // namespace ashlar::node
