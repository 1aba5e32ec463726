#include "ledger/reader_pool.h"

#include "ledger/limits.h"

namespace ashlar::ledger {

ReaderPool::Lease::~Lease() {
  if (store_ == nullptr) return;
  store_->EndTransaction();
  pool_.Return(std::move(store_));
}

base::StatusOr<std::unique_ptr<Store>> ReaderPool::Take() {
  {
    base::MutexLock lock(mutex_);
    const absl::Duration start = base::SystemClock().Monotonic();
    while (idle_.empty() && count_ >= kMaxReaders) {
      const absl::Duration left = kWriteLockWait - (base::SystemClock().Monotonic() - start);
      if (left <= absl::ZeroDuration()) {
        return base::Error(base::StatusCode::kUnavailable, "all {} readers of the ledger are busy: try again later",
                           kMaxReaders);
      }
      returned_.WaitFor(mutex_, left);
    }
    if (!idle_.empty()) {
      auto store = std::move(idle_.back());
      idle_.pop_back();
      return store;
    }
    ++count_;
  }
  auto opened = open_();
  if (!opened.ok()) {
    base::MutexLock lock(mutex_);
    --count_;
    returned_.Signal();
  }
  return opened;
}

void ReaderPool::Return(std::unique_ptr<Store> store) {
  base::MutexLock lock(mutex_);
  idle_.push_back(std::move(store));
  returned_.Signal();
}

base::StatusOr<ReaderPool::Lease> ReaderPool::Borrow() {
  ASHLAR_ASSIGN_OR_RETURN(auto store, Take());
  Lease lease(*this, std::move(store));
  ASHLAR_RETURN_IF_ERROR(lease->BeginRead());
  return lease;
}

}  // namespace ashlar::ledger
