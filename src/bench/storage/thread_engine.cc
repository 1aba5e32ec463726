// The fallback engine: pread and pwrite, one thread for each operation in flight.
//
// A thread cannot give up a system call that hangs; the kernel's own time limit of the device ends it.
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "bench/storage/aligned_buffer.h"
#include "bench/storage/io_engine.h"
#include "bench/storage/offset_sequence.h"

namespace ashlar::bench {
namespace {

using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

// What the threads of one cell share. Sequential offsets come from one sequence, as one reader's would.
class SharedSequence {
 public:
  explicit SharedSequence(const CellRequest& request)
      : offsets_(request.cell.pattern, request.cell.block, request.file_size.count / request.cell.block.count,
                 request.seed) {}
  uint64_t Next() {
    const base::MutexLock lock(mutex_);
    return offsets_.Next();
  }

 private:
  base::Mutex mutex_;
  OffsetSequence offsets_ ABSL_GUARDED_BY(mutex_);
};

// One thread's window: like the ring's it opens and closes at a completion, so a thread that starts late on a busy
// machine measures later, not less.
struct Worker {
  uint64_t operations = 0;
  int64_t window_begin = 0;
  int64_t window_end = 0;
  stats::LatencyHistogram latency;
  Status status;
};

int64_t Transfer(const CellRequest& request, char* memory, uint64_t offset) {
  const size_t length = request.cell.block.count;
  ssize_t done = 0;
  do {
    done = request.cell.operation == IoOperation::kRead
               ? pread(request.descriptor, memory, length, static_cast<off_t>(offset))
               : pwrite(request.descriptor, memory, length, static_cast<off_t>(offset));
  } while (done < 0 && errno == EINTR);
  return done < 0 ? -int64_t{errno} : done;
}

// True when the worker's window has closed.
bool Count(const CellRequest& request, int64_t ramp_end, int64_t issued, int64_t now, Worker& worker) {
  if (worker.window_begin == 0) {
    if (now >= ramp_end) worker.window_begin = now;
    return false;
  }
  worker.latency.Record(now - issued);
  ++worker.operations;
  worker.window_end = now;
  return now - worker.window_begin >= absl::ToInt64Nanoseconds(request.window);
}

void Work(const CellRequest& request, char* memory, SharedSequence& offsets, std::atomic<bool>& failed,
          Worker& worker) {
  const int64_t ramp_end = MonotonicNanoseconds() + absl::ToInt64Nanoseconds(request.ramp);
  uint64_t stamp = reinterpret_cast<uintptr_t>(memory);
  bool done = false;
  while (!done && !failed.load(std::memory_order_relaxed) && !request.stop.stop_requested()) {
    const uint64_t offset = offsets.Next();
    if (request.cell.operation == IoOperation::kWrite) StampBlocks(memory, request.cell.block.count, ++stamp);
    const int64_t issued = MonotonicNanoseconds();
    const int64_t result = Transfer(request, memory, offset);
    worker.status = OperationStatus(request.cell, offset, result);
    if (!worker.status.ok()) {
      failed.store(true, std::memory_order_relaxed);
      return;
    }
    done = Count(request, ramp_end, issued, MonotonicNanoseconds(), worker);
  }
}

class ThreadEngine : public IoEngine {
 public:
  std::string_view name() const override { return "threads"; }

  StatusOr<CellOutcome> Run(const CellRequest& request) override {
    const auto depth = static_cast<size_t>(request.cell.depth);
    const size_t block = request.cell.block.count;
    const PageSize pages = request.huge_pages ? PageSize::kHuge : PageSize::kSmall;
    ASHLAR_ASSIGN_OR_RETURN(const AlignedBuffer buffer, AlignedBuffer::Create(block * depth, pages));
    SharedSequence offsets(request);
    std::vector<Worker> workers(depth);
    std::atomic<bool> failed = false;
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < depth; ++i) {
        threads.emplace_back([&, i] { Work(request, buffer.data() + i * block, offsets, failed, workers[i]); });
      }
    }
    if (request.stop.stop_requested()) return Error(StatusCode::kCancelled, "stopped by request");
    return Gather(workers);
  }

 private:
  // The threads' rates add up; the window stated is the one that gives this rate.
  static StatusOr<CellOutcome> Gather(const std::vector<Worker>& workers) {
    CellOutcome outcome;
    double per_nanosecond = 0;
    for (const Worker& worker : workers) {
      ASHLAR_RETURN_IF_ERROR(worker.status);
      outcome.operations += worker.operations;
      outcome.latency.Merge(worker.latency);
    }
    for (const Worker& worker : workers) {
      per_nanosecond += static_cast<double>(worker.operations) /
                        static_cast<double>(worker.window_end - worker.window_begin);
    }
    outcome.elapsed = absl::Nanoseconds(static_cast<double>(outcome.operations) / per_nanosecond);
    return outcome;
  }
};

}  // namespace

std::unique_ptr<IoEngine> MakeThreadEngine() { return std::make_unique<ThreadEngine>(); }

}  // namespace ashlar::bench
