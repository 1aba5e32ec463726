// Are transparent huge pages set as they should be?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section transparent-huge-pages. Never throws; any thread.
std::vector<base::Finding> CheckTransparentHugePages(const CheckContext& context);

}  // namespace ashlar::node
