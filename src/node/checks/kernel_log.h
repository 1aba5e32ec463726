// The kernel's log as records. Two forms are read: records of /dev/kmsg ("6,339,5140900,-;text", Linux
// Documentation/ABI/testing/dev-kmsg) and what syslog(2) gives ("<6>[    5.140900] text"). Any thread.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

struct KernelRecord {
  int severity = 0;         // 0 emergency to 7 debug
  bool from_kernel = true;  // false when a program wrote it through /dev/kmsg
  absl::Duration since_boot;
  std::string_view text;  // of the log that was given
};

struct KernelLogText {
  std::vector<KernelRecord> records;
  size_t unreadable_lines = 0;
  bool from_boot = false;  // whether the oldest record is the first of this boot, as far as the form tells
};

// One line; nullopt when it is in neither form.
std::optional<KernelRecord> ParseKernelRecord(std::string_view line);

// The views are into `log`. kInvalidArgument when no line of a log with text is readable, kResourceExhausted over
// kMaxKernelLog or kMaxKernelRecords.
base::StatusOr<KernelLogText> ParseKernelLog(std::string_view log);

}  // namespace ashlar::node
