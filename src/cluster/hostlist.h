// Slurm's lists of hosts: "n[01-04,7],login" to names and back.
//
// No state; any thread. Source of the format: slurm.conf(5), "NodeName", and `scontrol show hostnames`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::cluster {

// The names in the order of the list, twice what is listed twice, as `scontrol show hostnames` has them. A name may
// hold several ranges ("r[1-2]n[0-3]": the last one counts fastest); the width of a range is that of its first number
// ("[08-11]", "[98-102]"). Empty pieces between commas are left out. Text after the last range ("n[1-2]-ib"), which
// Slurm 22.05 does not expand, is read as people mean it. kInvalidArgument naming what is wrong, also when no name is
// left; kResourceExhausted over a limit of limits.h. Nothing is expanded before its size is known.
base::StatusOr<std::vector<std::string>> ExpandHostList(std::string_view text);

// Ranges over the number at the end of each name: sorted, each name once, and every form of it is one that Slurm reads.
// Expanding it gives the names again. Names are those that ExpandHostList gives.
std::string CompressHostList(std::span<const std::string> hosts);

// Letters, digits, '-', '.' and '_', not beginning with '-', at most kMaxHostNameBytes: safe as an argument.
bool IsHostName(std::string_view name);

}  // namespace ashlar::cluster
