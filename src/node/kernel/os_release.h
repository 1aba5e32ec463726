// /etc/os-release: which distribution this is.
//
// Format: os-release(5), shell-like assignments. Any thread may call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

struct OsRelease {
  std::optional<std::string> id;           // ID: "debian"
  std::optional<std::string> version_id;   // VERSION_ID: "12"
  std::optional<std::string> pretty_name;  // PRETTY_NAME: "Debian GNU/Linux 12 (bookworm)"
};

// kInvalidArgument for a line that is neither blank, a comment nor an assignment, or an open quote.
base::StatusOr<OsRelease> ParseOsRelease(std::string_view text);

}  // namespace ashlar::node
