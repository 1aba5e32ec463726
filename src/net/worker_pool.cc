#include "net/worker_pool.h"

#include <utility>

namespace ashlar::net {

WorkerPool::WorkerPool(size_t workers, size_t queue_limit) : queue_limit_(queue_limit), idle_(workers) {
  threads_.reserve(workers);
  for (size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { Work(); });
}

WorkerPool::~WorkerPool() {
  {
    const base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.SignalAll();
}

bool WorkerPool::TrySubmit(std::function<void()> work) {
  {
    const base::MutexLock lock(mutex_);
    if (stopping_ || queue_.size() >= queue_limit_ + idle_) return false;
    queue_.push_back(std::move(work));
  }
  changed_.Signal();
  return true;
}

void WorkerPool::Work() {
  for (;;) {
    std::function<void()> work;
    {
      const base::MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) changed_.Wait(mutex_);
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
      --idle_;
    }
    work();
    const base::MutexLock lock(mutex_);
    ++idle_;
  }
}

}  // namespace ashlar::net
