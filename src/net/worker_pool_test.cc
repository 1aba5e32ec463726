#include "net/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace ashlar::net {
namespace {

// Work that tells when it has begun and ends when it is told to.
class Held {
 public:
  void operator()() {
    const base::MutexLock lock(mutex_);
    begun_ = true;
    changed_.SignalAll();
    while (!released_) changed_.Wait(mutex_);
  }
  void AwaitBegun() {
    const base::MutexLock lock(mutex_);
    while (!begun_) changed_.Wait(mutex_);
  }
  void Release() {
    const base::MutexLock lock(mutex_);
    released_ = true;
    changed_.SignalAll();
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool released_ ABSL_GUARDED_BY(mutex_) = false;
};

TEST(WorkerPool, RefusesWorkOverTheLimit) {
  Held first;
  Held second;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(2, 1);
    EXPECT_TRUE(pool.TrySubmit([&first] { first(); }));
    EXPECT_TRUE(pool.TrySubmit([&second] { second(); }));
    first.AwaitBegun();
    second.AwaitBegun();
    EXPECT_TRUE(pool.TrySubmit([&done] { ++done; }));
    EXPECT_FALSE(pool.TrySubmit([&done] { ++done; }));
    first.Release();
    second.Release();
  }
  // What was taken is done, what was refused is not.
  EXPECT_EQ(done, 1);
}

TEST(WorkerPool, TakesAsMuchAsThereAreIdleWorkersWithoutAQueue) {
  Held held;
  WorkerPool pool(1, 0);
  EXPECT_TRUE(pool.TrySubmit([&held] { held(); }));
  EXPECT_FALSE(pool.TrySubmit([] {}));
  held.Release();
}

TEST(WorkerPool, DoesEverythingBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    WorkerPool pool(3, 1000);
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(pool.TrySubmit([&done] { ++done; }));
  }
  EXPECT_EQ(done, 1000);
}

}  // namespace
}  // namespace ashlar::net
