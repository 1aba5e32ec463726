// /proc/self/mountinfo: what is mounted where.
//
// Format: proc(5), Linux fs/proc_namespace.c. Any thread may call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

struct MountLine {
  std::string mount_point;
  std::string device;  // "/dev/sda1", "tmpfs"
  std::string type;    // "ext4"
  // Options of the mount, then those of the file system that are not among them.
  std::vector<std::string> options;
  bool read_only = false;  // either the mount or the file system is "ro"
};

// In the file's order. kInvalidArgument for a malformed line, kResourceExhausted for more than kMaxMounts.
base::StatusOr<std::vector<MountLine>> ParseMountinfo(std::string_view text);

// `text` with the kernel's escapes (\040 for a blank, and so on) replaced; nullopt for a broken escape.
std::optional<std::string> UnescapeMountField(std::string_view text);

}  // namespace ashlar::node
