#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ashlar::base {
namespace {

class Counter {
 public:
  void Add() {
    const MutexLock lock(mutex_);
    ++count_;
    changed_.SignalAll();
  }
  void WaitFor(int count) {
    const MutexLock lock(mutex_);
    while (count_ < count) changed_.Wait(mutex_);
  }
  // True when the time ran out before the count was reached.
  bool LateFor(int count, absl::Duration timeout) {
    const MutexLock lock(mutex_);
    while (count_ < count) {
      if (changed_.WaitFor(mutex_, timeout)) return count_ < count;
    }
    return false;
  }
  int count() {
    const MutexLock lock(mutex_);
    return count_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(MutexTest, LosesNoCount) {
  Counter counter;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&counter] {
      for (int k = 0; k < 1000; ++k) counter.Add();
    });
  }
  counter.WaitFor(4000);
  for (std::jthread& thread : threads) thread.join();
  EXPECT_EQ(counter.count(), 4000);
}

TEST(MutexTest, AWaitWithADeadlineEnds) {
  Counter counter;
  EXPECT_TRUE(counter.LateFor(1, absl::Milliseconds(5)));
  counter.Add();
  EXPECT_FALSE(counter.LateFor(1, absl::Seconds(120)));
}

TEST(MutexTest, ASignalWakesOneThatWaitsWithADeadline) {
  Counter counter;
  std::jthread waiting([&counter] { EXPECT_FALSE(counter.LateFor(1, absl::Seconds(120))); });
  counter.Add();
  waiting.join();
}

}  // namespace
}  // namespace ashlar::base
