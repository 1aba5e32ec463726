#include "ledger/append_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

PreparedDraft Prepared(size_t bytes = 10) {
  PreparedDraft prepared;
  prepared.before_sequence = std::string(bytes, 'x');
  return prepared;
}

// Lets the first commit wait until the test has queued what it wants.
class Gate {
 public:
  void Open() {
    base::MutexLock lock(mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  void Enter() {
    base::MutexLock lock(mutex_);
    ++entered_;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait(mutex_);
  }
  void AwaitEntered() {
    base::MutexLock lock(mutex_);
    while (entered_ == 0) changed_.Wait(mutex_);
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  bool is_open_ ABSL_GUARDED_BY(mutex_) = false;
  int entered_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(AppendQueueTest, OneWriterCommitsAlone) {
  std::vector<size_t> sizes;
  AppendQueue queue([&sizes](std::span<PendingAppend* const> batch) {
    sizes.push_back(batch.size());
    return base::OkStatus();
  });
  for (int i = 0; i < 3; ++i) {
    PendingAppend append;
    append.prepared = Prepared();
    EXPECT_TRUE(queue.Submit(append).ok());
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{1, 1, 1}));
}

TEST(AppendQueueTest, ErrorsReachEveryWriterOfTheBatchAndNoOther) {
  std::atomic<int> commits{0};
  AppendQueue queue([&commits](std::span<PendingAppend* const>) {
    return ++commits == 1 ? base::Error(base::StatusCode::kResourceExhausted, "full") : base::OkStatus();
  });
  PendingAppend first;
  EXPECT_EQ(queue.Submit(first).code(), base::StatusCode::kResourceExhausted);
  PendingAppend second;
  EXPECT_TRUE(queue.Submit(second).ok());
}

// While one commit is held up, the others gather; then they go in batches of the limits.
struct BatchingCase {
  const char* name;
  size_t waiting;
  size_t bytes_each;
  std::vector<size_t> batches;  // after the first
};

class BatchingTest : public testing::TestWithParam<BatchingCase> {};

TEST_P(BatchingTest, WaitingDraftsShareCommits) {
  Gate gate;
  std::vector<size_t> sizes;
  AppendQueue queue([&](std::span<PendingAppend* const> batch) {
    if (sizes.empty()) gate.Enter();
    sizes.push_back(batch.size());
    return base::OkStatus();
  });
  const auto submit = [&queue, bytes = GetParam().bytes_each] {
    PendingAppend append;
    append.prepared = Prepared(bytes);
    EXPECT_TRUE(queue.Submit(append).ok());
  };
  std::vector<std::jthread> writers;
  writers.emplace_back(submit);
  gate.AwaitEntered();
  for (size_t i = 0; i < GetParam().waiting; ++i) writers.emplace_back(submit);
  while (queue.WaitingCount() < GetParam().waiting) std::this_thread::yield();
  gate.Open();
  for (std::jthread& writer : writers) writer.join();
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(sizes.front(), 1U);
  sizes.erase(sizes.begin());
  EXPECT_EQ(sizes, GetParam().batches) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Limits, BatchingTest,
                         testing::Values(BatchingCase{"a few", 8, 10, {8}},
                                         BatchingCase{"at the limit", kMaxBatchEntries, 10, {kMaxBatchEntries}},
                                         BatchingCase{"over it", kMaxBatchEntries + 1, 10, {kMaxBatchEntries, 1}},
                                         BatchingCase{"bytes at the limit", 2, kMaxBatchBytes / 2, {2}},
                                         BatchingCase{"bytes over it", 2, kMaxBatchBytes / 2 + 1, {1, 1}},
                                         BatchingCase{"each over it", 2, kMaxBatchBytes + 1, {1, 1}}));

TEST(AppendQueueTest, TooManyWaitingAreTurnedAway) {
  Gate gate;
  AppendQueue queue([&gate](std::span<PendingAppend* const>) {
    gate.Enter();
    return base::OkStatus();
  });
  std::vector<std::jthread> writers;
  const auto submit = [&queue] {
    PendingAppend append;
    append.prepared = Prepared();
    EXPECT_TRUE(queue.Submit(append).ok());
  };
  writers.emplace_back(submit);
  gate.AwaitEntered();
  for (size_t i = 0; i < kMaxQueuedAppends; ++i) writers.emplace_back(submit);
  while (queue.WaitingCount() < kMaxQueuedAppends) std::this_thread::yield();
  PendingAppend late;
  EXPECT_EQ(queue.Submit(late).code(), base::StatusCode::kResourceExhausted);
  gate.Open();
  for (std::jthread& writer : writers) writer.join();
}

}  // namespace
}  // namespace ashlar::ledger
