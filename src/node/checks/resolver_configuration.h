// /etc/resolv.conf: which servers are asked. Format: resolv.conf(5). Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// The addresses of `nameserver` lines, in their order. kInvalidArgument for one that is no address of IPv4 or IPv6
// (with an optional %scope); other lines are left.
base::StatusOr<std::vector<std::string>> ParseNameServers(std::string_view text);

}  // namespace ashlar::node
