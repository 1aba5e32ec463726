// The io_uring engine: registered file and buffers where the limits allow, one system call to submit a batch and to
// wait for the next completion.
#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "bench/storage/aligned_buffer.h"
#include "bench/storage/io_engine.h"
#include "bench/storage/limits.h"
#include "bench/storage/offset_sequence.h"

namespace ashlar::bench {
namespace {

using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

// Newest first: completions handled by this thread alone, without interrupting it; older kernels know fewer flags.
constexpr unsigned kSetupFlags[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
                                    IORING_SETUP_COOP_TASKRUN, 0};
// Completions taken at once: a sixteenth of the depth. Taking all of them makes the operations march in step, the
// device idles between two marches and shows a fifth less than it can; taking one costs a system call for each
// operation.
constexpr size_t kBatchesInFlight = 16;
constexpr int64_t kWaitNanoseconds = 100'000'000;  // between looks at the stop token

class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    if (open_) io_uring_queue_exit(&ring_);
  }
  Status Open(unsigned entries) {
    int result = -EINVAL;
    for (unsigned flags : kSetupFlags) {
      result = io_uring_queue_init(entries, &ring_, flags);
      if (result != -EINVAL) break;
    }
    if (result < 0) {
      if (result == -ENOSYS) return Error(StatusCode::kUnimplemented, "this kernel has no io_uring");
      return base::ErrnoStatus(-result, "io_uring_setup");
    }
    open_ = true;
    return base::OkStatus();
  }
  io_uring* get() { return &ring_; }

 private:
  io_uring ring_ = {};
  bool open_ = false;
};

// One cell's run: the slots, what is in flight, and what has been counted.
class UringRun {
 public:
  UringRun(const CellRequest& request, AlignedBuffer buffer)
      : request_(request),
        block_(request.cell.block.count),
        buffer_(std::move(buffer)),
        offsets_(request.cell.pattern, request.cell.block, request.file_size.count / request.cell.block.count,
                 request.seed),
        slots_(static_cast<size_t>(request.cell.depth)),
        batch_(std::max<size_t>(1, slots_.size() / kBatchesInFlight)) {}

  Status Prepare() {
    ASHLAR_RETURN_IF_ERROR(ring_.Open(static_cast<unsigned>(slots_.size())));
    std::vector<iovec> pieces(slots_.size());
    for (size_t i = 0; i < slots_.size(); ++i) {
      slots_[i].memory = buffer_.data() + i * block_;
      pieces[i] = {slots_[i].memory, block_};
    }
    // Both are only cheaper, not necessary: a low memlock limit refuses the buffers.
    fixed_buffers_ = io_uring_register_buffers(ring_.get(), pieces.data(), static_cast<unsigned>(pieces.size())) == 0;
    fixed_file_ = io_uring_register_files(ring_.get(), &request_.descriptor, 1) == 0;
    return base::OkStatus();
  }

  StatusOr<CellOutcome> Run() {
    const int64_t begin = MonotonicNanoseconds();
    ramp_end_ = begin + absl::ToInt64Nanoseconds(request_.ramp);
    window_nanoseconds_ = absl::ToInt64Nanoseconds(request_.window);
    last_progress_ = begin;
    for (size_t i = 0; i < slots_.size(); ++i) Queue(i, begin);
    // Once done, nothing more is queued, and what is still out there is waited for: the buffers must not go before.
    while (!done_ || in_flight_ > 0) ASHLAR_RETURN_IF_ERROR(Step());
    ASHLAR_RETURN_IF_ERROR(operation_status_);
    outcome_.elapsed = absl::Nanoseconds(window_end_ - window_begin_);
    return std::move(outcome_);
  }

 private:
  struct Slot {
    char* memory = nullptr;
    uint64_t offset = 0;
    int64_t issued = 0;
  };

  void Queue(size_t index, int64_t now) {
    Slot& slot = slots_[index];
    slot.offset = offsets_.Next();
    slot.issued = now;
    io_uring_sqe* entry = io_uring_get_sqe(ring_.get());  // never null: the ring has an entry for every slot
    const int file = fixed_file_ ? 0 : request_.descriptor;
    const auto length = static_cast<unsigned>(block_);
    const auto buffer_index = static_cast<int>(index);
    if (request_.cell.operation == IoOperation::kRead) {
      if (fixed_buffers_)
        io_uring_prep_read_fixed(entry, file, slot.memory, length, slot.offset, buffer_index);
      else
        io_uring_prep_read(entry, file, slot.memory, length, slot.offset);
    } else {
      StampBlocks(slot.memory, block_, ++stamp_);
      if (fixed_buffers_)
        io_uring_prep_write_fixed(entry, file, slot.memory, length, slot.offset, buffer_index);
      else
        io_uring_prep_write(entry, file, slot.memory, length, slot.offset);
    }
    if (fixed_file_) io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
    io_uring_sqe_set_data64(entry, index);
    ++in_flight_;
  }

  // Submits what is queued, waits for at least one completion and takes all that are there; until the end each makes
  // room for the next operation. An error here is the ring's or a hang; an operation's own goes to operation_status_.
  Status Step() {
    __kernel_timespec wait = {0, kWaitNanoseconds};
    io_uring_cqe* first = nullptr;
    const int waited = io_uring_submit_and_wait_timeout(ring_.get(), &first, 1, &wait, nullptr);
    const int64_t now = MonotonicNanoseconds();
    if (waited < 0 && waited != -ETIME && waited != -EINTR && waited != -EAGAIN && waited != -EBUSY) {
      return base::ErrnoStatus(-waited, CellName(request_.cell));
    }
    if (request_.stop.stop_requested()) End(Error(StatusCode::kCancelled, "stopped by request"));
    Reap();
    if (finished_.empty()) return CheckHung(now);
    last_progress_ = now;
    if (!done_) Count(now);
    if (done_) return base::OkStatus();
    const int64_t issue = MonotonicNanoseconds();
    for (size_t index : finished_) Queue(index, issue);
    return base::OkStatus();
  }

  void End(const Status& status) {
    if (operation_status_.ok() && !done_) operation_status_ = status;
    done_ = true;
  }

  void Reap() {
    finished_.clear();
    unsigned head = 0;
    io_uring_cqe* completion = nullptr;
    io_uring_for_each_cqe(ring_.get(), head, completion) {
      const size_t index = io_uring_cqe_get_data64(completion);
      finished_.push_back(index);
      if (completion->res != static_cast<int64_t>(block_)) {
        End(OperationStatus(request_.cell, slots_[index].offset, completion->res));
      }
      if (finished_.size() == batch_) break;
    }
    io_uring_cq_advance(ring_.get(), static_cast<unsigned>(finished_.size()));
    in_flight_ -= finished_.size();
  }

  // The window opens and closes at a completion, so that no part of an operation is counted at one end only.
  void Count(int64_t now) {
    if (window_begin_ == 0) {
      if (now >= ramp_end_) window_begin_ = now;
      return;
    }
    for (size_t index : finished_) outcome_.latency.Record(now - slots_[index].issued);
    outcome_.operations += finished_.size();
    window_end_ = now;
    done_ = now - window_begin_ >= window_nanoseconds_;
  }

  Status CheckHung(int64_t now) {
    if (now - last_progress_ < absl::ToInt64Nanoseconds(kStorageOperationDeadline)) return base::OkStatus();
    return Error(StatusCode::kDeadlineExceeded,
                 "{}: no operation came back for {}: the storage hangs, see the kernel log", CellName(request_.cell),
                 base::HumanDuration(kStorageOperationDeadline));
  }

  const CellRequest& request_;
  const size_t block_;
  AlignedBuffer buffer_;  // outlives the ring: declared before it
  Ring ring_;
  OffsetSequence offsets_;
  std::vector<Slot> slots_;
  const size_t batch_;
  std::vector<size_t> finished_;
  bool fixed_buffers_ = false;
  bool fixed_file_ = false;
  bool done_ = false;
  uint64_t stamp_ = 0;
  size_t in_flight_ = 0;
  int64_t ramp_end_ = 0;
  int64_t window_nanoseconds_ = 0;
  int64_t window_begin_ = 0;
  int64_t window_end_ = 0;
  int64_t last_progress_ = 0;
  Status operation_status_;
  CellOutcome outcome_;
};

class UringEngine : public IoEngine {
 public:
  std::string_view name() const override { return "io_uring"; }

  StatusOr<CellOutcome> Run(const CellRequest& request) override {
    const size_t needed = request.cell.block.count * static_cast<size_t>(request.cell.depth);
    ASHLAR_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                            AlignedBuffer::Create(needed, request.huge_pages ? PageSize::kHuge : PageSize::kSmall));
    UringRun run(request, std::move(buffer));
    ASHLAR_RETURN_IF_ERROR(run.Prepare());
    return run.Run();
  }
};

}  // namespace

StatusOr<std::unique_ptr<IoEngine>> MakeUringEngine() {
  Ring probe;
  ASHLAR_RETURN_IF_ERROR(probe.Open(1));
  return std::unique_ptr<IoEngine>(std::make_unique<UringEngine>());
}

}  // namespace ashlar::bench
