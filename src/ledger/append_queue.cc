#include "ledger/append_queue.h"

#include <algorithm>

#include "ledger/limits.h"

namespace ashlar::ledger {

base::Status AppendQueue::Submit(PendingAppend& append) {
  {
    base::MutexLock lock(mutex_);
    if (waiting_.size() >= kMaxQueuedAppends) {
      return base::Error(base::StatusCode::kResourceExhausted,
                         "{} appends are waiting for the ledger already: try again later", kMaxQueuedAppends);
    }
    waiting_.push_back(&append);
    if (is_committing_ && waiting_.size() >= writers_in_play_) arrived_.Signal();
    while (!append.done && (is_committing_ || waiting_.front() != &append)) finished_.Wait(mutex_);
    if (append.done) return append.status;
    CommitForAll();
  }
  // Without the lock: those who wake need it at once.
  finished_.SignalAll();
  return append.status;
}

size_t AppendQueue::WaitingCount() {
  base::MutexLock lock(mutex_);
  return waiting_.size();
}

void AppendQueue::Gather() {
  const size_t wanted = std::min(writers_in_play_, kMaxBatchEntries);
  const absl::Duration start = base::SystemClock().Monotonic();
  while (waiting_.size() < wanted) {
    const absl::Duration left = kGatherWait - (base::SystemClock().Monotonic() - start);
    if (left <= absl::ZeroDuration() || arrived_.WaitFor(mutex_, left)) return;
  }
}

std::vector<PendingAppend*> AppendQueue::TakeBatch() {
  std::vector<PendingAppend*> batch;
  size_t bytes = 0;
  while (!waiting_.empty() && batch.size() < kMaxBatchEntries) {
    bytes += waiting_.front()->prepared.before_sequence.size();
    if (!batch.empty() && bytes > kMaxBatchBytes) break;
    batch.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return batch;
}

// The caller's own append is the first of the batch.
void AppendQueue::CommitForAll() {
  is_committing_ = true;
  Gather();
  const std::vector<PendingAppend*> batch = TakeBatch();
  mutex_.Unlock();
  const base::Status status = commit_(batch);
  mutex_.Lock();
  is_committing_ = false;
  writers_in_play_ = batch.size() + waiting_.size();
  for (PendingAppend* append : batch) {
    append->status = status;
    append->done = true;
  }
}

}  // namespace ashlar::ledger
