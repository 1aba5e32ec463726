#include "ledger/ledger.h"

#include <algorithm>

#include "ledger/append_queue.h"
#include "ledger/committer.h"
#include "ledger/entry_codec.h"
#include "ledger/key_file.h"
#include "ledger/proof_writer.h"
#include "ledger/reader_pool.h"
#include "ledger/store.h"
#include "ledger/tree_reader.h"
#include "ledger/verify.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr size_t kNameBytes = 8;  // of the key's hash and the moment, in the ledger's name

base::Status CheckSchema(int64_t version, const std::string& name) {
  if (version == kSchemaVersion) return base::OkStatus();
  if (version > kSchemaVersion) {
    return base::Error(StatusCode::kFailedPrecondition,
                       "ledger {} has schema version {}, this program knows {}: use the newer program that wrote it",
                       name, version, kSchemaVersion);
  }
  return base::Error(StatusCode::kFailedPrecondition, "{} holds tables, but no ledger: name another database", name);
}

// An entry whose bytes are still those that were hashed.
base::StatusOr<Entry> OpenRow(const EntryRow& row) {
  if (row.leaf != base::AsBytes(LeafHash(row.bytes))) {
    return base::Error(StatusCode::kDataLoss, "entry {} was changed in the database; run `ashlar ledger verify`",
                       row.sequence);
  }
  ASHLAR_ASSIGN_OR_RETURN(Entry entry, ParseEntry(row.bytes));
  if (entry.sequence != row.sequence || entry.kind != row.kind || entry.subject != row.subject) {
    return base::Error(StatusCode::kDataLoss,
                       "the row of entry {} was changed in the database; run `ashlar ledger verify`", row.sequence);
  }
  return entry;
}

class StoredLedger : public Ledger {
 public:
  StoredLedger(std::string url, Identity identity, TrustedKey trusted)
      : identity_(std::move(identity)),
        trusted_(std::move(trusted)),
        readers_([url = std::move(url)] { return OpenStore(url, {.create = false, .read_only = true}); }) {}

  void AllowAppends(std::unique_ptr<Committer> committer) {
    committer_ = std::move(committer);
    queue_ = std::make_unique<AppendQueue>(
        [this](std::span<PendingAppend* const> batch) { return committer_->Commit(batch); });
  }

  base::StatusOr<Entry> Append(Draft draft) override;
  base::StatusOr<std::vector<Entry>> Read(const Query& query) override;
  base::StatusOr<std::optional<Entry>> Latest(const std::string& kind, const std::string& subject) override;
  base::StatusOr<uint64_t> Size() override;
  base::StatusOr<Checkpoint> SignHead() override;
  base::StatusOr<ProofPath> InclusionProof(uint64_t sequence, uint64_t tree_size) override;
  base::StatusOr<ProofPath> ConsistencyProof(uint64_t from, uint64_t to) override;
  base::StatusOr<base::Json> ProveEntry(uint64_t sequence) override;
  base::StatusOr<base::Json> ProveConsistency(uint64_t from, uint64_t to) override;
  base::StatusOr<VerifyReport> Verify(const VerifyOptions& options) override;
  std::string VerifierKey() const override {
    return WriteVerifierKey({.name = identity_.origin, .public_key = identity_.public_key});
  }

 private:
  base::StatusOr<Checkpoint> OpenStoredHead(Store& store) const;
  static base::StatusOr<ProofPath> InclusionPath(Store& store, uint64_t sequence, uint64_t tree_size);
  static base::StatusOr<ProofPath> ConsistencyPath(Store& store, uint64_t from, uint64_t to);

  const Identity identity_;
  const TrustedKey trusted_;
  ReaderPool readers_;
  std::unique_ptr<Committer> committer_;  // null when read-only
  std::unique_ptr<AppendQueue> queue_;
};

base::StatusOr<Entry> StoredLedger::Append(Draft draft) {
  if (queue_ == nullptr) {
    return base::Error(StatusCode::kPermissionDenied, "the ledger was opened for reading only");
  }
  PendingAppend append;
  ASHLAR_ASSIGN_OR_RETURN(append.prepared, PrepareDraft(std::move(draft)));
  ASHLAR_RETURN_IF_ERROR(queue_->Submit(append));
  Draft& kept = append.prepared.draft;
  return Entry{.sequence = append.sequence,
               .time = append.time,
               .kind = std::move(kept.kind),
               .subject = std::move(kept.subject),
               .actor = std::move(kept.actor),
               .body = std::move(kept.body)};
}

base::StatusOr<std::vector<Entry>> StoredLedger::Read(const Query& query) {
  if (query.limit > kMaxReadEntries) {
    return base::Error(StatusCode::kInvalidArgument, "at most {} entries are read at once, {} were asked for",
                       kMaxReadEntries, query.limit);
  }
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  std::vector<Entry> entries;
  ASHLAR_RETURN_IF_ERROR(store->Search(query, [&entries](const EntryRow& row) -> base::Status {
    ASHLAR_ASSIGN_OR_RETURN(Entry entry, OpenRow(row));
    entries.push_back(std::move(entry));
    return base::OkStatus();
  }));
  return entries;
}

base::StatusOr<std::optional<Entry>> StoredLedger::Latest(const std::string& kind, const std::string& subject) {
  ASHLAR_ASSIGN_OR_RETURN(std::vector<Entry> entries,
                          Read({.kind = kind, .subject = subject, .limit = 1, .newest_first = true}));
  if (entries.empty()) return std::nullopt;
  return std::move(entries.front());
}

base::StatusOr<uint64_t> StoredLedger::Size() {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  return store->End();
}

base::StatusOr<Checkpoint> StoredLedger::OpenStoredHead(Store& store) const {
  ASHLAR_ASSIGN_OR_RETURN(const auto head, store.ReadHead());
  if (!head) return base::Error(StatusCode::kNotFound, "ledger {} is empty: nothing is signed yet", store.Name());
  return OpenCheckpoint(head->note, {.name = identity_.origin, .public_key = trusted_.public_key});
}

base::StatusOr<Checkpoint> StoredLedger::SignHead() {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  return OpenStoredHead(*store);
}

base::StatusOr<ProofPath> StoredLedger::InclusionPath(Store& store, uint64_t sequence, uint64_t tree_size) {
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t end, store.End());
  if (sequence >= tree_size || tree_size > end) {
    return base::Error(StatusCode::kOutOfRange, "no proof for entry {} in {} entries: the ledger has {}", sequence,
                       tree_size, end);
  }
  return MakeInclusionPath(sequence, tree_size,
                           [&store](uint64_t begin, uint64_t limit) { return HashStoredRange(store, begin, limit); });
}

base::StatusOr<ProofPath> StoredLedger::ConsistencyPath(Store& store, uint64_t from, uint64_t to) {
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t end, store.End());
  if (from == 0 || from > to || to > end) {
    return base::Error(StatusCode::kOutOfRange, "no proof from {} to {} entries: want 0 < from <= to <= {}", from, to,
                       end);
  }
  return MakeConsistencyPath(from, to,
                             [&store](uint64_t begin, uint64_t limit) { return HashStoredRange(store, begin, limit); });
}

base::StatusOr<ProofPath> StoredLedger::InclusionProof(uint64_t sequence, uint64_t tree_size) {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  return InclusionPath(*store, sequence, tree_size);
}

base::StatusOr<ProofPath> StoredLedger::ConsistencyProof(uint64_t from, uint64_t to) {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  return ConsistencyPath(*store, from, to);
}

base::StatusOr<base::Json> StoredLedger::ProveEntry(uint64_t sequence) {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  ASHLAR_ASSIGN_OR_RETURN(const Checkpoint head, OpenStoredHead(*store));
  ASHLAR_ASSIGN_OR_RETURN(const ProofPath path, InclusionPath(*store, sequence, head.tree_size));
  std::string bytes;
  ASHLAR_RETURN_IF_ERROR(store->Search({.from_sequence = sequence, .limit = 1}, [&bytes](const EntryRow& row) {
    bytes = row.bytes;
    return base::OkStatus();
  }));
  return WriteInclusionProof(bytes, path, head);
}

base::StatusOr<base::Json> StoredLedger::ProveConsistency(uint64_t from, uint64_t to) {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  ASHLAR_ASSIGN_OR_RETURN(const Checkpoint head, OpenStoredHead(*store));
  if (to != head.tree_size) {
    return base::Error(StatusCode::kOutOfRange,
                       "only the current head is signed: prove from {} to {} entries, not to {}", from, head.tree_size,
                       to);
  }
  ASHLAR_ASSIGN_OR_RETURN(const ProofPath path, ConsistencyPath(*store, from, to));
  ASHLAR_ASSIGN_OR_RETURN(const base::Sha256Digest root, HashStoredRange(*store, 0, from));
  return WriteConsistencyProof({.size = from, .root = root}, path, head);
}

base::StatusOr<VerifyReport> StoredLedger::Verify(const VerifyOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(ReaderPool::Lease store, readers_.Borrow());
  return VerifyStore(*store, trusted_, options);
}

// The identity of an existing ledger; nullopt when the database has no tables yet.
base::StatusOr<std::optional<Identity>> ReadIdentityOf(Store& store) {
  ASHLAR_ASSIGN_OR_RETURN(const auto version, store.SchemaVersion());
  if (!version) return std::nullopt;
  ASHLAR_RETURN_IF_ERROR(CheckSchema(*version, store.Name()));
  ASHLAR_ASSIGN_OR_RETURN(auto identity, store.ReadIdentity());
  if (!identity) {
    return base::Error(StatusCode::kDataLoss, "ledger {}: its name and key were removed from the database",
                       store.Name());
  }
  return identity;
}

// Makes tables and name, unless another process has just done so. The key is made first: a key without a ledger does
// no harm, a ledger without its key can never grow.
base::StatusOr<Identity> BeginLedger(Store& store, const std::string& key_path, const base::Clock& clock) {
  ASHLAR_ASSIGN_OR_RETURN(const SigningKey key, LoadOrMakeSigningKey(key_path));
  ASHLAR_RETURN_IF_ERROR(store.BeginWrite());
  ASHLAR_ASSIGN_OR_RETURN(auto existing, ReadIdentityOf(store));
  if (existing) {
    store.EndTransaction();
    return *std::move(existing);
  }
  const std::string unique = base::NewId(clock.Now()) + key.public_key();
  const Identity identity{
      .origin = "ashlar.ledger/" + base::HexEncode(base::AsBytes(base::Sha256(unique)).substr(0, kNameBytes)),
      .public_key = key.public_key()};
  ASHLAR_RETURN_IF_ERROR(store.CreateTables());
  ASHLAR_RETURN_IF_ERROR(store.WriteIdentity(identity));
  ASHLAR_RETURN_IF_ERROR(store.Commit());
  return identity;
}

// The key that signs; it must be the one that the ledger began with.
base::StatusOr<SigningKey> KeyOf(const Identity& identity, const std::string& key_path, const std::string& name) {
  auto key = LoadSigningKey(key_path);
  if (key.status().code() == StatusCode::kNotFound) {
    return base::Error(StatusCode::kFailedPrecondition,
                       "ledger {}: its private key {} is missing: put it back, or begin a new ledger elsewhere", name,
                       key_path);
  }
  if (key.ok() && key->public_key() != identity.public_key) {
    return base::Error(StatusCode::kFailedPrecondition,
                       "ledger {}: {} is not the key that it began with: copy that key here, or name another ledger",
                       name, key_path);
  }
  return key;
}

base::StatusOr<std::unique_ptr<Ledger>> OpenForReading(const Options& options, const std::string& key_path) {
  ASHLAR_ASSIGN_OR_RETURN(const auto store, OpenStore(options.url, {.create = false, .read_only = true}));
  ASHLAR_ASSIGN_OR_RETURN(auto identity, ReadIdentityOf(*store));
  if (!identity) return base::Error(StatusCode::kNotFound, "{}: there is no ledger in it", store->Name());
  TrustedKey trusted{.public_key = identity->public_key, .source = "the database itself"};
  if (const auto key = LoadSigningKey(key_path); key.ok()) {
    trusted = {.public_key = key->public_key(), .source = key_path};
  }
  return std::make_unique<StoredLedger>(options.url, *std::move(identity), std::move(trusted));
}

}  // namespace

std::string_view FaultKindName(FaultKind kind) {
  switch (kind) {
    case FaultKind::kEdited: return "edited";
    case FaultKind::kDropped: return "dropped";
    case FaultKind::kReordered: return "reordered";
    case FaultKind::kTruncated: return "truncated";
    case FaultKind::kUnsigned: return "unsigned";
    case FaultKind::kHeadSignature: return "head_signature";
    case FaultKind::kRoot: return "root";
    case FaultKind::kNotCanonical: return "not_canonical";
    case FaultKind::kColumns: return "columns";
    case FaultKind::kRewritten: return "rewritten";
    case FaultKind::kDamaged: return "damaged";
  }
  return "damaged";
}

base::StatusOr<std::unique_ptr<Ledger>> Ledger::Open(const Options& options, const base::Clock& clock) {
  std::string key_path = options.key_path;
  if (key_path.empty()) {
    ASHLAR_ASSIGN_OR_RETURN(key_path, DefaultKeyPath(options.url));
  }
  if (options.read_only) return OpenForReading(options, key_path);
  ASHLAR_ASSIGN_OR_RETURN(auto store, OpenStore(options.url, {.create = options.create}));
  ASHLAR_ASSIGN_OR_RETURN(auto identity, ReadIdentityOf(*store));
  if (!identity) {
    if (!options.create) return base::Error(StatusCode::kNotFound, "{}: there is no ledger in it", store->Name());
    ASHLAR_ASSIGN_OR_RETURN(identity, BeginLedger(*store, key_path, clock));
  }
  ASHLAR_ASSIGN_OR_RETURN(SigningKey key, KeyOf(*identity, key_path, store->Name()));
  auto ledger = std::make_unique<StoredLedger>(options.url, *identity,
                                               TrustedKey{.public_key = key.public_key(), .source = key_path});
  ledger->AllowAppends(std::make_unique<Committer>(std::move(store), *identity, std::move(key), clock));
  return ledger;
}

}  // namespace ashlar::ledger
