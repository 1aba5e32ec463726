// The append-only, tamper-evident record of everything that was measured, decided or done. Other rooms include this
// facade only.
//
// Entries are the leaves of an RFC 6962 Merkle tree whose head is signed with Ed25519 in the same transaction that
// stores them; docs/formats/ledger.md has the exact bytes. A Ledger owns its connections; any thread may call any
// member, and several processes may have the same ledger open. Nothing else may write to its tables.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "ledger/checkpoint.h"  // IWYU pragma: export
#include "ledger/limits.h"      // IWYU pragma: export
#include "ledger/proof.h"       // IWYU pragma: export
#include "ledger/report.h"      // IWYU pragma: export

namespace ashlar::ledger {

// What a caller hands in. `kind` is 1 to 64 characters of a-z, 0-9, '.', '_' and '-'; subject and actor are 1 to 256
// bytes of UTF-8 without control characters; the entry in canonical form is at most kMaxEntryBytes long.
struct Draft {
  std::string kind;     // "node.check"
  std::string subject;  // host name, or "cluster"
  std::string actor;    // who did it: "ashlar up", a user's name
  base::Json body;
};

struct Entry {
  uint64_t sequence = 0;  // from 0, no gaps
  absl::Time time;        // when it was committed, whole microseconds
  std::string kind;
  std::string subject;
  std::string actor;
  base::Json body;
};

struct Query {
  std::string kind;            // "" = any
  std::string subject;         // "" = any
  uint64_t from_sequence = 0;  // nothing before it
  size_t limit = 1000;         // at most kMaxReadEntries
  bool newest_first = false;
};

struct Options {
  std::string url;         // a path, "sqlite:PATH" or "postgresql://..."
  std::string key_path;    // Ed25519 private key (PEM, mode 0600), made when missing; "" = ledger.key beside the SQLite
                           // file, or in $XDG_STATE_HOME/ashlar (~/.local/state/ashlar) for PostgreSQL
  bool create = true;      // make file, folder, tables and key when they are not there
  bool read_only = false;  // never writes; needs no private key
};

// What `Verify` found wrong, the kind for machines and the message for people.
enum class FaultKind {
  kEdited,         // an entry's bytes are not those that were appended
  kDropped,        // entries are missing between others
  kReordered,      // an entry stands in another's place
  kTruncated,      // entries below the signed head, or below the given checkpoint, are gone
  kUnsigned,       // entries after the signed head, or no signed head at all
  kHeadSignature,  // the head's signature or name is not this ledger's
  kRoot,           // the tree over all entries has another root than the signed head, the place unknown
  kNotCanonical,   // the bytes are no canonical entry (RFC 8785)
  kColumns,        // a column used for searching differs from the entry, or a stored tree hash from the tree
  kRewritten,      // the tree does not extend the given checkpoint
  kDamaged,        // the database itself cannot be read further
};
// "edited", "dropped", ...
std::string_view FaultKindName(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::kDamaged;
  std::optional<uint64_t> sequence;  // the entry it is about, or the first of several
  std::string message;               // names the entry or range and what to do
};

struct VerifyOptions {
  std::string checkpoint;    // a signed note kept elsewhere; "" = none
  std::string verifier_key;  // "name+hash+key" kept elsewhere; "" = the key file, else the one in the database
  std::function<void(uint64_t done, uint64_t all)> progress;  // about every 65,536 entries; may be empty
};

struct VerifyReport {
  uint64_t entries = 0;              // rows that were read and hashed
  uint64_t bytes = 0;                // of entries
  uint64_t tree_size = 0;            // that the signed head covers
  std::string root;                  // Base64 of the root computed over all entries
  std::string key_source;            // where the public key came from
  std::string checkpoint;            // what the given checkpoint says; "" when none was given
  std::vector<Fault> faults;         // at most kMaxFaults; empty = everything holds
  uint64_t fault_count = 0;          // all of them
  uint64_t time_went_back = 0;       // entries older than the one before: reported, no fault
  std::string first_time_went_back;  // which, "" when none
  absl::Duration elapsed;
  bool ok() const { return fault_count == 0; }
};

class Ledger {
 public:
  // `clock` must outlive the ledger. kNotFound when it is not there and `create` is false; kPermissionDenied for a
  // folder or file that may not be written (or read); kDataLoss for a damaged database; kFailedPrecondition for a newer
  // schema, a missing or foreign private key, or a server that does not promise durability; kInvalidArgument for a URL
  // that is none; kUnavailable when the server does not answer.
  static base::StatusOr<std::unique_ptr<Ledger>> Open(const Options& options, const base::Clock& clock);
  virtual ~Ledger() = default;

  // Returns only when the entry survives power loss; drafts that wait together share one transaction. On an error the
  // entry is not in the ledger, unless the message says that the outcome is unknown. kInvalidArgument for a draft that
  // breaks the rules above, kResourceExhausted for one over kMaxEntryBytes, more than kMaxQueuedAppends waiting, or a
  // full disk; kUnavailable when another writer held the lock for kWriteLockWait; kDataLoss when the stored ledger is
  // not what its signed head says; kPermissionDenied when opened read-only.
  virtual base::StatusOr<Entry> Append(Draft draft) = 0;

  // Entries that match, each checked against its stored hash. kDataLoss naming the entry when one does not match.
  virtual base::StatusOr<std::vector<Entry>> Read(const Query& query) = 0;
  // The newest entry of `kind`; nullopt when there is none. `subject` "" = any.
  virtual base::StatusOr<std::optional<Entry>> Latest(const std::string& kind, const std::string& subject) = 0;
  // Entries, which is also the next sequence number.
  virtual base::StatusOr<uint64_t> Size() = 0;

  // The signed head as stored, its signature checked. kNotFound while the ledger is empty.
  virtual base::StatusOr<Checkpoint> SignHead() = 0;
  // RFC 6962 section 2.1.1: that entry `sequence` is in the tree of the first `tree_size` entries. kOutOfRange when
  // it is not below tree_size, or tree_size above Size().
  virtual base::StatusOr<ProofPath> InclusionProof(uint64_t sequence, uint64_t tree_size) = 0;
  // RFC 6962 section 2.1.2: that the tree of `to` entries extends the one of `from`. kOutOfRange unless
  // 0 < from <= to <= Size().
  virtual base::StatusOr<ProofPath> ConsistencyProof(uint64_t from, uint64_t to) = 0;
  // The proofs as documents that VerifyProof accepts offline, each with the signed head.
  virtual base::StatusOr<base::Json> ProveEntry(uint64_t sequence) = 0;
  virtual base::StatusOr<base::Json> ProveConsistency(uint64_t from, uint64_t to) = 0;

  // Hashes every stored byte anew and compares with tree, head and checkpoint. An error means that it could not be
  // tried; everything wrong with the ledger is in the report.
  virtual base::StatusOr<VerifyReport> Verify(const VerifyOptions& options) = 0;

  // "name+hash+key", what others need to check heads and proofs.
  virtual std::string VerifierKey() const = 0;
};

}  // namespace ashlar::ledger
