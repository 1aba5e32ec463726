// Named limits of `service`. Each has a test at and over it, or bounds a wait.
#pragma once

#include <absl/time/time.h>

#include <cstddef>

namespace ashlar::service {

// `ashlar up` shows the scorecard within a minute of its start: the parts that take long share it.
inline constexpr absl::Duration kCollectiveBudget = absl::Seconds(5);  // of each collective
inline constexpr absl::Duration kStorageBudget = absl::Seconds(11);

inline constexpr size_t kMaxEntriesPerPage = 1000;  // of /api/entries
inline constexpr size_t kDefaultEntriesPerPage = 100;

}  // namespace ashlar::service
