// Do names resolve?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section dns. Never throws; any thread.
std::vector<base::Finding> CheckDns(const CheckContext& context);

}  // namespace ashlar::node
