// Group commit: of the callers that wait to append, the first commits for all that wait.
//
// Any thread may call Submit; `commit` runs in one thread at a time, without the queue's lock. A single writer pays for
// no switch of threads, and eight writers share one fsync.
#pragma once

#include <absl/time/time.h>

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

  base::Status status;  // set by the queue
  bool done = false;    // likewise
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
  void Gather() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<PendingAppend*> TakeBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CommitForAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Commit commit_;
  base::Mutex mutex_;
  base::CondVar arrived_;   // as many wait as are in play: the gathering may end
  base::CondVar finished_;  // a commit ended: its writers may go, and the first who waits commits next
  std::deque<PendingAppend*> waiting_ ABSL_GUARDED_BY(mutex_);
  bool is_committing_ ABSL_GUARDED_BY(mutex_) = false;
  // Writers that were in play at the last commit: as many may be expected back.
  size_t writers_in_play_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace ashlar::ledger
