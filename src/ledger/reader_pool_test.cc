#include "ledger/reader_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ledger/ledger_place_testing.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

class ReaderPoolTest : public testing::Test {
 protected:
  void SetUp() override {
    auto place = LedgerPlace::Make(PlaceKind::kSqlite);
    ASSERT_TRUE(place.ok()) << place.status();
    place_ = std::make_unique<LedgerPlace>(*std::move(place));
    const auto ledger = place_->Open();
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    ASSERT_TRUE(Fill(**ledger, 1).ok());
  }
  ReaderPool::OpenReader Opener() {
    return [this] {
      ++opened_;
      return OpenStore(place_->options().url, {.create = false, .read_only = true});
    };
  }

  std::unique_ptr<LedgerPlace> place_;
  std::atomic<int> opened_{0};
};

TEST_F(ReaderPoolTest, ConnectionsAreReused) {
  ReaderPool pool(Opener());
  for (int i = 0; i < 3; ++i) {
    auto lease = pool.Borrow();
    ASSERT_TRUE(lease.ok()) << lease.status();
    EXPECT_EQ(*(*lease)->End(), 1U);
  }
  EXPECT_EQ(opened_, 1);
}

TEST_F(ReaderPoolTest, OneMoreThanTheLimitWaitsForAReturn) {
  ReaderPool pool(Opener());
  std::vector<ReaderPool::Lease> leases;
  for (size_t i = 0; i < kMaxReaders; ++i) {
    auto lease = pool.Borrow();
    ASSERT_TRUE(lease.ok()) << lease.status();
    leases.push_back(*std::move(lease));
  }
  std::atomic<bool> has_lease{false};
  std::jthread late([&] { has_lease = pool.Borrow().ok(); });
  EXPECT_FALSE(has_lease);
  leases.pop_back();
  late.join();
  EXPECT_TRUE(has_lease);
  EXPECT_EQ(opened_, static_cast<int>(kMaxReaders));
}

TEST_F(ReaderPoolTest, FailedOpeningTakesNoPlace) {
  ReaderPool pool(
      []() -> base::StatusOr<std::unique_ptr<Store>> { return base::Error(base::StatusCode::kUnavailable, "down"); });
  for (size_t i = 0; i < 2 * kMaxReaders; ++i) {
    EXPECT_EQ(pool.Borrow().status().code(), base::StatusCode::kUnavailable);
  }
}

}  // namespace
}  // namespace ashlar::ledger
