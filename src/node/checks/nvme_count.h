// Are all local NVMe disks there and live?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section nvme-count. Never throws; any thread.
std::vector<base::Finding> CheckNvmeCount(const CheckContext& context);

}  // namespace ashlar::node
