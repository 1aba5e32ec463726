// Named limits of validation.
#pragma once

#include <absl/time/time.h>

namespace ashlar::bench {

inline constexpr int kMaxValidatedNodes = 4096;
inline constexpr int kMaxTestsAtOnce = 64;  // each is a launcher and its pipes

// One test: long enough for a settled median, and a hang is told soon.
inline constexpr absl::Duration kNodeTestBudget = absl::Seconds(1);
inline constexpr absl::Duration kLocalTestBudget = absl::Milliseconds(400);
inline constexpr int kLocalRuns = 2;
inline constexpr absl::Duration kNodeTestStall = absl::Seconds(10);
inline constexpr absl::Duration kNodeTestDeadline = absl::Minutes(2);

}  // namespace ashlar::bench
