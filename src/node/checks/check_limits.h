// Named limits of the health checks. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>

#include "base/base.h"

namespace ashlar::node {

inline constexpr size_t kMaxParallelChecks = 4;               // children at one time: a check must not load the machine
inline constexpr base::Bytes kMaxFindingsBytes{base::kMiB};   // of one check, as JSON
inline constexpr size_t kMaxListedNames = 256;                // entries of a list in the configuration
inline constexpr base::Bytes kMaxKernelLog{16 * base::kMiB};  // the largest log_buf_len in use
inline constexpr size_t kMaxKernelRecords = 200'000;
inline constexpr size_t kMaxKernelEvents = 64;  // distinct events that one finding lists
inline constexpr size_t kMaxProcesses = 200'000;
inline constexpr size_t kMaxPciFunctions = 65'536;
inline constexpr size_t kMaxMemoryControllers = 256;
inline constexpr absl::Duration kGpuAnswerDeadline = absl::Seconds(8);  // a driver without persistence wakes slowly

}  // namespace ashlar::node
