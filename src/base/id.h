// Identifiers for runs and requests.
#pragma once

#include <absl/time/time.h>

#include <string>

namespace ashlar::base {

// "20260102T030405-1f2e3d4c5b6a7988": sorts by time, 64 random bits from the kernel. Any thread.
std::string NewId(absl::Time now);

}  // namespace ashlar::base
