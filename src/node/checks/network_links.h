// Are the network links up, at their rate?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section network-links. Never throws; any thread.
std::vector<base::Finding> CheckNetworkLinks(const CheckContext& context);

}  // namespace ashlar::node
