// One transaction: gives drafts their numbers, extends the tree, signs the new head and stores all of it together.
//
// For one thread at a time (AppendQueue sees to it). Other processes may commit in between: each transaction reads the
// head anew and trusts it only with a good signature and a right edge that has its root.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/base.h"
#include "ledger/append_queue.h"
#include "ledger/checkpoint.h"
#include "ledger/ed25519.h"
#include "ledger/merkle.h"
#include "ledger/store.h"

namespace ashlar::ledger {

class Committer {
 public:
  // `clock` must outlive the committer.
  Committer(std::unique_ptr<Store> store, Identity identity, SigningKey key, const base::Clock& clock);

  // Errors as Ledger::Append; nothing of the batch is stored then, unless the message says that it is unknown.
  base::Status Commit(std::span<PendingAppend* const> batch);

 private:
  base::Status CommitInTransaction(std::span<PendingAppend* const> batch);
  // The tree as stored, checked against its signed head.
  base::StatusOr<Frontier> LoadTree();

  std::unique_ptr<Store> store_;
  const Identity identity_;
  const SigningKey key_;
  const base::Clock& clock_;
  std::optional<StoredHead> own_head_;  // the head that this process wrote last, and the tree below it
  Frontier own_tree_;
};

// The right edge that `head` stores, after checking that `key` signed the head and that the edge has its root.
// kDataLoss when not.
base::StatusOr<Frontier> OpenHead(const StoredHead& head, const VerifierKey& key);

}  // namespace ashlar::ledger
