// Measures one folder's storage: sequential and random access by block and depth, fsync latency, names per second, and
// judges it against a demand.
//
// It writes only into a folder of its own below the path, after the free space has been checked, and takes that folder
// away on every way out; what a kill -9 leaves (an empty folder: the data file has no name) the next start removes.
// One measurement of a device at a time gives true figures; nothing breaks when two run.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "base/base.h"
#include "bench/storage/options.h"
#include "bench/storage/result.h"

namespace ashlar::bench {

// One line for people before each step: "sequential read 1 MiB depth 8 (3 of 8)". May be empty.
using StorageProgress = std::function<void(std::string_view)>;

// Takes about options.budget, or the sum of the cells' times and some seconds. kInvalidArgument for options out of
// limits.h, kNotFound or kPermissionDenied for the path, kResourceExhausted when the space is missing (with how much),
// kCancelled on a stop request, kDeadlineExceeded when the storage hangs. Nothing of it is left on any of them.
base::StatusOr<StorageResult> MeasureStorage(const StorageOptions& options, const StorageProgress& progress,
                                             std::stop_token stop);

}  // namespace ashlar::bench
