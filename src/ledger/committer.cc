#include "ledger/committer.h"

#include "ledger/checkpoint_writer.h"
#include "ledger/limits.h"

namespace ashlar::ledger {

using base::StatusCode;

base::StatusOr<Frontier> OpenHead(const StoredHead& head, const VerifierKey& key) {
  ASHLAR_ASSIGN_OR_RETURN(const Checkpoint checkpoint, OpenCheckpoint(head.note, key));
  auto frontier = Frontier::Parse(head.tree_size, head.frontier);
  if (!frontier.ok()) return base::Error(StatusCode::kDataLoss, "{}", base::Message(frontier.status()));
  if (checkpoint.tree_size != head.tree_size || frontier->Root() != checkpoint.root) {
    return base::Error(StatusCode::kDataLoss,
                       "the stored right edge of the tree does not have the root of its signed "
                       "head over {} entries",
                       checkpoint.tree_size);
  }
  return frontier;
}

Committer::Committer(std::unique_ptr<Store> store, Identity identity, SigningKey key, const base::Clock& clock)
    : store_(std::move(store)), identity_(std::move(identity)), key_(std::move(key)), clock_(clock) {}

base::StatusOr<Frontier> Committer::LoadTree() {
  ASHLAR_ASSIGN_OR_RETURN(const auto head, store_->ReadHead());
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t end, store_->End());
  Frontier tree;
  if (head && head == own_head_) {
    tree = own_tree_;
  } else if (head) {
    const auto opened = OpenHead(*head, {.name = identity_.origin, .public_key = identity_.public_key});
    if (!opened.ok()) {
      return base::Annotate(opened.status(), fmt::format("ledger {} was changed by something else, nothing is appended "
                                                         "to it; run `ashlar ledger verify`",
                                                         store_->Name()));
    }
    tree = *opened;
  }
  if (end != tree.size()) {
    return base::Error(StatusCode::kDataLoss,
                       "ledger {} was changed by something else: it holds entries up to {}, its signed head covers {}; "
                       "nothing is appended to it; run `ashlar ledger verify`",
                       store_->Name(), end, tree.size());
  }
  return tree;
}

base::Status Committer::CommitInTransaction(std::span<PendingAppend* const> batch) {
  ASHLAR_ASSIGN_OR_RETURN(Frontier tree, LoadTree());
  if (tree.size() + batch.size() > kMaxTreeSize) {
    return base::Error(StatusCode::kResourceExhausted, "ledger {} is full: {} entries", store_->Name(), tree.size());
  }
  const absl::Time now = absl::FromUnixMicros(absl::ToUnixMicros(clock_.Now()));
  const std::string time = base::Rfc3339(now);
  Batch rows;
  rows.entries.reserve(batch.size());
  for (PendingAppend* append : batch) {
    append->sequence = tree.size();
    append->time = now;
    StoredEntry& entry = rows.entries.emplace_back();
    entry.sequence = append->sequence;
    entry.kind = append->prepared.draft.kind;
    entry.subject = append->prepared.draft.subject;
    entry.bytes = CompleteEntry(append->prepared, append->sequence, time);
    entry.leaf = LeafHash(entry.bytes);
    tree.Append(entry.leaf, &rows.nodes);
  }
  rows.head.tree_size = tree.size();
  rows.head.frontier = tree.Serialise();
  ASHLAR_ASSIGN_OR_RETURN(rows.head.note,
                          WriteCheckpoint(identity_.origin, {.size = tree.size(), .root = tree.Root()}, key_));
  ASHLAR_RETURN_IF_ERROR(store_->Write(rows));
  if (const base::Status committed = store_->Commit(); !committed.ok()) {
    return base::Annotate(committed,
                          "the outcome is unknown, the entry may be in the ledger or not: look before "
                          "appending it again");
  }
  own_head_ = std::move(rows.head);
  own_tree_ = std::move(tree);
  return base::OkStatus();
}

base::Status Committer::Commit(std::span<PendingAppend* const> batch) {
  base::Status status = store_->BeginWrite();
  if (status.ok()) status = CommitInTransaction(batch);
  if (!status.ok()) {
    store_->EndTransaction();
    own_head_.reset();
  }
  return status;
}

}  // namespace ashlar::ledger
