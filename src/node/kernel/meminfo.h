// /proc/meminfo, and the same format per NUMA node in /sys/devices/system/node/nodeN/meminfo.
//
// Format: Linux fs/proc/meminfo.c and drivers/base/node.c. Any thread may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

struct MeminfoEntry {
  std::string_view name;  // "MemTotal", "Active(anon)": part of the text that was read
  uint64_t value = 0;     // bytes when `is_bytes`, else a count
  bool is_bytes = false;
};

// Reads every line into `entries`, reusing its memory; the entries point into `text`. kInvalidArgument for a malformed
// or repeated line, no or zero MemTotal, or a MemFree or MemAvailable beyond MemTotal (impossible).
base::Status ParseMeminfo(std::string_view text, std::vector<MeminfoEntry>& entries);

// The value of `name`; nullopt when it is not there.
std::optional<uint64_t> FindMeminfo(const std::vector<MeminfoEntry>& entries, std::string_view name);

// MemTotal in bytes of a node's file ("Node 0 MemTotal:  1024 kB"). kInvalidArgument otherwise.
base::StatusOr<uint64_t> ParseNodeMemTotal(std::string_view text);

}  // namespace ashlar::node
