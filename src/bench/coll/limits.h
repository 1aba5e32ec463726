// Named limits of the collective benchmark. Each has a test at and over it, or bounds a loop.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>

#include "base/base.h"

namespace ashlar::bench {

inline constexpr int64_t kMaxRanks = 65'536;
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 40U;
inline constexpr int64_t kMaxIterations = 1'000'000'000;
inline constexpr size_t kMaxSizes = 4096;  // rows of one sweep: a small step over a wide range is a slip of the pen

// MPI counts elements in a signed 32-bit integer.
inline constexpr uint64_t kMaxMpiCount = 2'147'483'647;

// Adaptive mode. Nine values let one outlier on each side stay outside the 95 % interval (stats/median_interval.h).
inline constexpr int64_t kMinBatches = 9;
inline constexpr int64_t kMaxBatches = 20'000;
inline constexpr absl::Duration kMaxPlacementTime = absl::Milliseconds(1500);  // one size, one placement
inline constexpr double kDefaultInterval = 0.02;

// Shorter samples of one placement would only see one moment of the machine.
inline constexpr absl::Duration kMinPlacementTime = absl::Milliseconds(10);

// Ranks that were just started may share a core until the kernel spreads them: seen for 40 ms on two idle cores.
inline constexpr absl::Duration kSettlingTime = absl::Milliseconds(150);

// A batch is long enough that reading the clock (25 ns) is below 0.1 % of it.
inline constexpr absl::Duration kMinBatchTime = absl::Microseconds(100);
inline constexpr absl::Duration kMinFixedBatchTime = absl::Microseconds(25);
inline constexpr int64_t kMaxBatchIterations = 100'000;

// A round is what a rank does between two signs of life.
inline constexpr absl::Duration kMaxRoundTime = absl::Seconds(1);

// No rank finished a step for this long: the run hangs.
inline constexpr absl::Duration kDefaultStallLimit = absl::Seconds(60);
inline constexpr absl::Duration kDefaultDeadline = absl::Hours(24);
inline constexpr absl::Duration kHeartbeatPeriod = absl::Milliseconds(200);
inline constexpr absl::Duration kSilence = absl::Seconds(2);  // ten heartbeats missed: the process stands still
inline constexpr absl::Duration kLaunchGrace = absl::Seconds(4);

inline constexpr size_t kMaxHostfileBytes = size_t{4} << 20U;
inline constexpr size_t kMaxHosts = 100'000;
inline constexpr int64_t kMaxSlots = 65'536;

inline constexpr int kMaxOutputSuffixes = 1000;
inline constexpr size_t kMaxEventLineBytes = size_t{16} << 20U;
inline constexpr size_t kMaxEnvironmentValueBytes = 512;
inline constexpr double kMaxMemoryShare = 0.5;  // of the memory that is available, for the buffers of all local ranks

}  // namespace ashlar::bench
