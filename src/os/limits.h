// Named limits of `os`. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>

#include "base/base.h"

namespace ashlar::os {

inline constexpr base::Bytes kSysReadLimit{base::kMiB};         // one /proc or /sys file; the largest are below 300 KiB
inline constexpr base::Bytes kKernelLogLimit{16 * base::kMiB};  // /dev/kmsg: the ring is 1 MiB at most as shipped
inline constexpr size_t kPathLimit = 4096;                      // PATH_MAX of Linux, with the end
inline constexpr size_t kDirectoryEntries = 1'000'000;          // names in one directory
// A process that outlives SIGKILL sits in the kernel (a dead disk or network file system): it is left behind.
inline constexpr absl::Duration kUnkillableWait = absl::Seconds(5);
// What may still stand in a pipe after its writers were killed: 1 MiB, the most an ordinary user can give a pipe.
inline constexpr int kDrainReads = 32;
inline constexpr size_t kPipeChunk = size_t{64} << 10U;

}  // namespace ashlar::os
