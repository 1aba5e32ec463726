// /proc/PID/stat: one process. Format: proc(5). Any thread.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

struct ProcessStat {
  int64_t pid = 0;
  std::string name;  // may hold blanks and brackets
  char state = '?';  // R running, S sleeping, D uninterruptible, Z zombie, ...
  int64_t parent = 0;
  bool is_kernel_thread = false;  // PF_KTHREAD
  absl::Duration processor_time;  // user and system
  absl::Duration started;         // since boot
};

// kInvalidArgument for anything that is not such a line.
base::StatusOr<ProcessStat> ParseProcessStat(std::string_view text);

// The first number of /proc/uptime. kInvalidArgument otherwise.
base::StatusOr<absl::Duration> ParseUptime(std::string_view text);

}  // namespace ashlar::node
