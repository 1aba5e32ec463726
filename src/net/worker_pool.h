// A fixed number of threads behind a bounded queue.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/base.h"

namespace ashlar::net {

// Any thread may submit. Work that was taken is always done before the destructor returns.
class WorkerPool {
 public:
  WorkerPool(size_t workers, size_t queue_limit);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False, and nothing taken, when every worker is busy and `queue_limit` pieces of work are waiting.
  bool TrySubmit(std::function<void()> work);

 private:
  void Work();

  const size_t queue_limit_;
  base::Mutex mutex_;
  base::CondVar changed_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;
};

}  // namespace ashlar::net
