// Keeps a number of operations in flight on one file for a while and says how many finished and how long each took.
//
// The discipline is fio's: a ramp that is not counted, then a window by time; an operation counts when it finishes
// inside the window; latency is from handing it to the kernel until its completion is seen. Two engines: io_uring
// (one thread, batched), and plain pread/pwrite (one thread for each operation in flight) where io_uring is refused.
#pragma once

#include <absl/time/time.h>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/base.h"
#include "bench/storage/options.h"
#include "stats/stats.h"

namespace ashlar::bench {

struct CellRequest {
  int descriptor = -1;    // open for reading and writing; stays the caller's
  base::Bytes file_size;  // fully written, at least one block
  StorageCell cell;
  absl::Duration ramp;
  absl::Duration window;
  bool huge_pages = false;  // buffers in huge pages
  uint64_t seed = 1;        // of the random offsets
  std::stop_token stop;
};

struct CellOutcome {
  uint64_t operations = 0;  // finished inside the window, at least one
  absl::Duration elapsed;   // the window as it really was
  stats::LatencyHistogram latency;
};

class IoEngine {
 public:
  virtual ~IoEngine() = default;
  // "io_uring" or "threads".
  virtual std::string_view name() const = 0;
  // One thread at a time. kCancelled on a stop request; kDeadlineExceeded when an operation hangs
  // (kStorageOperationDeadline) or none finished; the errno of an operation that fails, with its offset.
  // No operation of the request is in flight on return, except after kDeadlineExceeded.
  virtual base::StatusOr<CellOutcome> Run(const CellRequest& request) = 0;
};

// kPermissionDenied, kUnimplemented or others when the kernel or its policy refuses io_uring.
base::StatusOr<std::unique_ptr<IoEngine>> MakeUringEngine();

std::unique_ptr<IoEngine> MakeThreadEngine();

struct ChosenEngine {
  std::unique_ptr<IoEngine> engine;
  std::string reason;  // why it is not io_uring; "" when it is
};
ChosenEngine ChooseEngine();

// CLOCK_MONOTONIC in nanoseconds: the clock of all latencies here.
int64_t MonotonicNanoseconds();

// "random write 4 KiB depth 8 at byte 4096: No space left on device" for a negative `result`, a short transfer
// (`result` below the block) as kDataLoss.
base::Status OperationStatus(const StorageCell& cell, uint64_t offset, int64_t result);

}  // namespace ashlar::bench
