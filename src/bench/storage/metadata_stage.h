// How many names a file system makes, looks up and takes away in a second: what unpacking a data set or listing shards
// costs. One thread, empty files, warm caches.
#pragma once

#include <absl/time/time.h>

#include <stop_token>

#include "base/base.h"
#include "bench/storage/result.h"
#include "bench/storage/scratch.h"

namespace ashlar::bench {

// Creates files for a third of `window`, at most `most_files`, then looks up and removes each. kCancelled on a stop
// request (the scratch folder removes what is left), kInvalidArgument when `most_files` is 0, else the errno.
base::StatusOr<MetadataResult> MeasureMetadata(const Scratch& scratch, absl::Duration window, uint64_t most_files,
                                               const std::stop_token& stop);

}  // namespace ashlar::bench
