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
  }
  while (!append.done) {
    const uint32_t seen = commits_;  // before looking: a commit that ends meanwhile makes the wait return at once
    bool committed = false;
    {
      base::MutexLock lock(mutex_);
      committed = CommitInTurn(append);
    }
    // Without the lock: those who wake may need it at once.
    if (committed) {
      commits_.notify_all();
    } else {
      commits_.wait(seen);
    }
  }
  return append.status;
}

size_t AppendQueue::WaitingCount() {
  base::MutexLock lock(mutex_);
  return waiting_.size();
}

bool AppendQueue::AllAreBack() const { return waiting_.size() >= std::min(writers_in_play_, kMaxBatchEntries); }

// The last of the writers in play commits for all, without waking another for it; until it comes the first who waits
// keeps watch, and commits when the time is over.
bool AppendQueue::CommitInTurn(const PendingAppend& append) {
  const absl::Duration start = base::SystemClock().Monotonic();
  while (!append.done && !is_committing_) {
    const absl::Duration left = kGatherWait - (base::SystemClock().Monotonic() - start);
    if (AllAreBack() || (waiting_.front() == &append && left <= absl::ZeroDuration())) {
      CommitForAll();
      return true;
    }
    if (waiting_.front() != &append) return false;
    ended_.WaitFor(mutex_, left);
  }
  return false;
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

void AppendQueue::CommitForAll() {
  is_committing_ = true;
  const std::vector<PendingAppend*> batch = TakeBatch();
  mutex_.Unlock();
  const base::Status status = commit_(batch);
  mutex_.Lock();
  is_committing_ = false;
  writers_in_play_ = batch.size() + waiting_.size();
  for (PendingAppend* append : batch) {
    append->status = status;
    append->done = true;  // its owner may leave with it now
  }
  ++commits_;
  ended_.Signal();
}

}  // namespace ashlar::ledger
