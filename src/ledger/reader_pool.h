// A few connections for reading, shared by all threads of a ledger.
//
// Any thread may call Borrow; a Lease belongs to one thread and gives the connection back when it ends.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/base.h"
#include "ledger/store.h"

namespace ashlar::ledger {

class ReaderPool {
 public:
  using OpenReader = std::function<base::StatusOr<std::unique_ptr<Store>>()>;
  explicit ReaderPool(OpenReader open) : open_(std::move(open)) {}

  // A connection inside a read transaction: everything read through it is one state of the ledger.
  class Lease {
   public:
    Lease(ReaderPool& pool, std::unique_ptr<Store> store) : pool_(pool), store_(std::move(store)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Store& operator*() { return *store_; }
    Store* operator->() { return store_.get(); }

   private:
    ReaderPool& pool_;
    std::unique_ptr<Store> store_;
  };

  // kUnavailable when all kMaxReaders are busy for kWriteLockWait; else the errors of opening and of BeginRead.
  base::StatusOr<Lease> Borrow();

 private:
  base::StatusOr<std::unique_ptr<Store>> Take();
  void Return(std::unique_ptr<Store> store);

  const OpenReader open_;
  base::Mutex mutex_;
  base::CondVar returned_;
  std::vector<std::unique_ptr<Store>> idle_ ABSL_GUARDED_BY(mutex_);
  size_t count_ ABSL_GUARDED_BY(mutex_) = 0;  // idle and lent
};

}  // namespace ashlar::ledger
