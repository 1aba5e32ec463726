// Group commit: of the callers that wait to append, one commits for all that wait.
//
// Any thread may call Submit; `commit` runs in one thread at a time, without the queue's lock. A single writer pays for
// no switch of threads, and eight writers share one fsync.
#pragma once

#include <absl/time/time.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "base/base.h"
#include "ledger/entry_codec.h"

namespace ashlar::ledger {

// One draft on its way; `commit` fills sequence and time.
struct PendingAppend {
  PreparedDraft prepared;
  uint64_t sequence = 0;
  absl::Time time;

  base::Status status;             // set by the queue
  std::atomic<bool> done = false;  // likewise, after the status
};

class AppendQueue {
 public:
  // Stores all of the batch or none of it.
  using Commit = std::function<base::Status(std::span<PendingAppend* const> batch)>;
  explicit AppendQueue(Commit commit) : commit_(std::move(commit)) {}

  // Returns when `append` is committed or has failed, with what `commit` said of its batch. kResourceExhausted when
  // kMaxQueuedAppends are waiting.
  base::Status Submit(PendingAppend& append);
  // Callers that wait and are in no batch yet.
  size_t WaitingCount();

 private:
  // Commits when it is the turn of this append's caller; false when another does, or will.
  bool CommitInTurn(const PendingAppend& append) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool AllAreBack() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<PendingAppend*> TakeBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CommitForAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Commit commit_;
  // How many commits have ended. Writers sleep on it and not on a condition: they wake together, and none needs the
  // lock to see that it is done.
  std::atomic<uint32_t> commits_ = 0;
  base::Mutex mutex_;
  base::CondVar ended_;  // a commit ended: for the one that keeps watch
  std::deque<PendingAppend*> waiting_ ABSL_GUARDED_BY(mutex_);
  bool is_committing_ ABSL_GUARDED_BY(mutex_) = false;
  // Writers that were in play at the last commit: as many may be expected back.
  size_t writers_in_play_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace ashlar::ledger
