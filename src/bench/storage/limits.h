// Named limits of the storage measurement. Each has a reject path and a test at and over it.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>

#include "base/base.h"

namespace ashlar::bench {

// The test file. Below 16 MiB a device's cache answers everything; 1 TiB is a day on a slow disk.
inline constexpr uint64_t kMinStorageFileBytes = 16 * base::kMiB;
inline constexpr uint64_t kMaxStorageFileBytes = 1024 * base::kGiB;

// One operation: a device's sector, and what kernels take in one request.
inline constexpr uint64_t kMinStorageBlockBytes = 512;
inline constexpr uint64_t kMaxStorageBlockBytes = 64 * base::kMiB;

inline constexpr int kMaxStorageDepth = 1024;
inline constexpr uint64_t kMaxStorageBufferBytes = 2 * base::kGiB;  // block x depth of one cell
inline constexpr size_t kMaxStorageCells = 256;

inline constexpr absl::Duration kMinStorageCellTime = absl::Milliseconds(100);
inline constexpr absl::Duration kMaxStorageCellTime = absl::Hours(1);
inline constexpr absl::Duration kMinStorageBudget = absl::Seconds(2);
inline constexpr absl::Duration kMaxStorageBudget = absl::Hours(24);

// Space that stays free whatever is asked for: a twentieth of the file system, within these bounds.
inline constexpr uint64_t kMinStorageReserveBytes = 64 * base::kMiB;
inline constexpr uint64_t kMaxStorageReserveBytes = 10 * base::kGiB;

inline constexpr uint64_t kMaxStorageMetadataFiles = 5'000;
inline constexpr uint64_t kStorageInodeReserve = 1'000;
inline constexpr uint64_t kMaxStorageSyncOperations = 20'000;

// An operation that takes longer than this is a hung device; the measurement ends and says so.
inline constexpr absl::Duration kStorageOperationDeadline = absl::Seconds(30);

// A folder of ours without its marker may be a few instructions old; after this it is a leftover.
inline constexpr absl::Duration kStorageStaleAge = absl::Minutes(10);
inline constexpr size_t kMaxStorageStaleFolders = 64;  // removed in one start

inline constexpr size_t kMaxMountInfoLines = 20'000;

}  // namespace ashlar::bench
