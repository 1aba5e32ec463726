// Lists of processors as sysfs and cpusets write them: "0-3,8,10-11".
//
// Format: Linux Documentation/admin-guide/cputopology.rst. Any thread may call.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// The numbers, ascending; an empty text is an empty list. kInvalidArgument for anything malformed, ranges that run
// backwards, overlap or are out of order, or a number of kMaxCpus or more.
base::StatusOr<std::vector<uint32_t>> ParseCpuList(std::string_view text);

// The reverse: {0, 1, 2, 3, 8} is "0-3,8".
std::string FormatCpuList(const std::vector<uint32_t>& cpus);

}  // namespace ashlar::node
