// /proc/pressure/{cpu,io,memory}: time that tasks lost waiting (pressure stall information).
//
// Format: Linux Documentation/accounting/psi.rst. Any thread may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/base.h"

namespace ashlar::node {

struct PressureLine {
  double average_10_seconds = 0;  // per cent
  double average_60_seconds = 0;
  double average_300_seconds = 0;
  uint64_t total_microseconds = 0;
};

struct Pressure {
  std::optional<PressureLine> some;  // at least one task waited
  std::optional<PressureLine> full;  // all of them did
};

// kInvalidArgument for a malformed line, an average outside of 0 to 100, or no line at all.
base::StatusOr<Pressure> ParsePressure(std::string_view text);

}  // namespace ashlar::node
