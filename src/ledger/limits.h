// Named limits of `ledger`. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>

namespace ashlar::ledger {

inline constexpr size_t kMaxEntryBytes = size_t{8} << 20U;  // canonical form; a full benchmark result is below 1 MiB
inline constexpr size_t kMaxBodyDepth = 63;                 // base reads 64 levels, the entry is one
inline constexpr size_t kMaxKindBytes = 64;
inline constexpr size_t kMaxNameBytes = 256;                 // subject, actor
inline constexpr size_t kMaxQueuedAppends = 1024;            // callers waiting in Append, this process
inline constexpr size_t kMaxBatchEntries = 256;              // in one transaction
inline constexpr size_t kMaxBatchBytes = size_t{16} << 20U;  // in one transaction, unless one entry is larger
inline constexpr size_t kMaxReadEntries = 100'000;           // from one Read
inline constexpr size_t kMaxReaders = 4;                     // connections that read, this process
inline constexpr size_t kMaxFaults = 100;                    // kept in a report; all are counted
inline constexpr size_t kMaxNoteBytes = 4096;                // a signed head or checkpoint
inline constexpr size_t kMaxKeyFileBytes = 4096;
inline constexpr size_t kMaxProofBytes = size_t{32} << 20U;   // a proof document: escapes may grow the entry
inline constexpr size_t kMaxProofHashes = 128;                // two paths of 64 levels
inline constexpr uint64_t kMaxTreeSize = uint64_t{1} << 53U;  // a sequence must be exact as a JSON number

// How long a writer waits for another process's transaction, and for the server to answer.
inline constexpr absl::Duration kWriteLockWait = absl::Seconds(30);
inline constexpr absl::Duration kConnectWait = absl::Seconds(10);
// How long the writer that commits waits for those that it has just woken to come back with their next entry: below
// the cost of the fsync that a full batch saves.
inline constexpr absl::Duration kGatherWait = absl::Microseconds(150);

}  // namespace ashlar::ledger
