// Does an update wait for a reboot?
#pragma once

#include "node/checks/check.h"

namespace ashlar::node {

// See docs/checks.md, section reboot-required. Never throws; any thread.
std::vector<base::Finding> CheckRebootRequired(const CheckContext& context);

}  // namespace ashlar::node
