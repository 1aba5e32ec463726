// Compares what was measured with what is demanded.
//
// Three findings, always all of them: storage-checkpoint-write, storage-loading-read, storage-fsync-latency. Without a
// demand one is not_applicable, with the measured value. With one it is pass or fail only on direct figures: through
// the page cache, on a memory file system or without a matching run it is unknown. Any thread.
#pragma once

#include <vector>

#include "base/base.h"
#include "bench/storage/result.h"

namespace ashlar::bench {

// Write bandwidth that puts `demand.checkpoint` on storage within `demand.stall_share` of each interval:
// bytes / (share * interval). Needs demand.checkpoint.
base::BytesPerSecond RequiredWriteRate(const StorageDemand& demand);

std::vector<base::Finding> JudgeStorage(const StorageResult& result);

}  // namespace ashlar::bench
