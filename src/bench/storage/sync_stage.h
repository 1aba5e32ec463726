// How long fdatasync(2) takes after 4 KiB were appended: what a write-ahead log waits for at each commit.
#pragma once

#include <absl/time/time.h>

#include <stop_token>

#include "base/base.h"
#include "bench/storage/result.h"
#include "bench/storage/scratch.h"

namespace ashlar::bench {

// Appends and syncs in a nameless file of its own for `window`, at most kMaxStorageSyncOperations times, at least once.
// Blocks in the kernel as long as one fdatasync takes. kCancelled on a stop request, else the errno.
base::StatusOr<SyncResult> MeasureSync(const Scratch& scratch, absl::Duration window, const std::stop_token& stop);

}  // namespace ashlar::bench
