// What the control groups of this process allow it, in version 1, version 2 or both at once.
//
// Formats: cgroups(7), Linux Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "node/identity.h"

namespace ashlar::node {

// A line of /proc/self/cgroup: "4:memory:/a" or, for version 2, "0::/a".
struct CgroupLine {
  uint64_t hierarchy = 0;                // 0 is version 2
  std::vector<std::string> controllers;  // empty for version 2
  std::string path;
};

// kInvalidArgument for a malformed line.
base::StatusOr<std::vector<CgroupLine>> ParseCgroup(std::string_view text);

// The tightest limit between this process's group and the root of each hierarchy. What no group limits is absent
// without a line in `unknowns`; what cannot be read has one.
CgroupLimits ReadCgroupLimits(const os::SysReader& system, Unknowns& unknowns);

base::Json CgroupLimitsToJson(const CgroupLimits& limits);

}  // namespace ashlar::node
