// One connection to the tables of a ledger: what SQLite and PostgreSQL must do alike.
//
// A Store belongs to one thread at a time. Tree, signatures and checks are above it; it stores what it is given and
// returns what is stored. Every error has been mapped to a status and names database and remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "ledger/ledger.h"
#include "ledger/merkle.h"

namespace ashlar::ledger {

inline constexpr int64_t kSchemaVersion = 1;

// Who the ledger is, written once.
struct Identity {
  std::string origin;
  std::string public_key;  // 32 bytes
};

// One row of entries. Kind and subject repeat what is in the bytes, for searching.
struct StoredEntry {
  uint64_t sequence = 0;
  std::string kind;
  std::string subject;
  base::Sha256Digest leaf{};
  std::string bytes;
};

// The same, as a scan shows it: views hold until the callback returns; `leaf` is as stored, of any length.
struct EntryRow {
  uint64_t sequence = 0;
  std::string_view kind;
  std::string_view subject;
  std::string_view leaf;
  std::string_view bytes;
};

// The signed head and the right edge of the tree that it covers.
struct StoredHead {
  uint64_t tree_size = 0;
  std::string frontier;  // Frontier::Serialise
  std::string note;
  friend bool operator==(const StoredHead&, const StoredHead&) = default;
};

// Everything that one transaction adds.
struct Batch {
  std::vector<StoredEntry> entries;
  std::vector<TreeNode> nodes;
  StoredHead head;
};

// A stored subtree hash as it is, of any length.
struct NodeRow {
  uint32_t level = 0;
  uint64_t position = 0;
  std::string_view hash;
};

using NodeCallback = std::function<void(const NodeRow&)>;
using RowCallback = std::function<base::Status(const EntryRow&)>;

class Store {
 public:
  virtual ~Store() = default;

  // Both Begin functions connect anew when the connection to a server broke.
  //
  // Takes the write lock that all processes share, waiting at most kWriteLockWait (kUnavailable), and begins a
  // transaction that sees everything committed so far.
  virtual base::Status BeginWrite() = 0;
  // Makes tables in the transaction of BeginWrite when there are none.
  virtual base::Status CreateTables() = 0;
  virtual base::Status WriteIdentity(const Identity& identity) = 0;
  virtual base::Status Write(const Batch& batch) = 0;
  // Durable after OK.
  virtual base::Status Commit() = 0;
  // Begins a snapshot: all reads until EndTransaction see one state.
  virtual base::Status BeginRead() = 0;
  // Ends either transaction without keeping what it wrote. Never fails; after a broken connection it is a no-op.
  virtual void EndTransaction() = 0;

  // The version of the tables; nullopt when there are none.
  virtual base::StatusOr<std::optional<int64_t>> SchemaVersion() = 0;
  virtual base::StatusOr<std::optional<Identity>> ReadIdentity() = 0;
  // nullopt before the first entry.
  virtual base::StatusOr<std::optional<StoredHead>> ReadHead() = 0;
  // One more than the largest sequence number stored; 0 when there is none.
  virtual base::StatusOr<uint64_t> End() = 0;
  // Rows that match, in the order asked for.
  virtual base::Status Search(const Query& query, const RowCallback& row) = 0;
  // Every row in ascending order.
  virtual base::Status ScanAll(const RowCallback& row) = 0;
  // Hashes [begin, end) of level 0 (leaves) or of a stored level. kDataLoss when one is missing.
  virtual base::StatusOr<std::vector<base::Sha256Digest>> ReadHashes(uint32_t level, uint64_t begin, uint64_t end) = 0;
  // Every stored subtree hash by level and position, whatever is there.
  virtual base::Status ScanNodes(const NodeCallback& node) = 0;

  // For messages: the path, or the server and database without password.
  virtual std::string Name() const = 0;
};

struct StoreOptions {
  bool create = true;
  bool read_only = false;
};

// A ledger's URL taken apart.
struct StoreAddress {
  bool is_postgres = false;
  std::string place;  // the file's path, or the whole URL for libpq
};
// "PATH", "sqlite:PATH", "sqlite://PATH", "postgresql://..." or "postgres://...". kInvalidArgument for another scheme,
// an empty path or a database in memory, which would not be durable.
base::StatusOr<StoreAddress> ParseStoreUrl(const std::string& url);

// A database file. Errors as Ledger::Open.
base::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, const StoreOptions& options);
// `url` as libpq takes it.
base::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, const StoreOptions& options);
// Either, by the form of the URL.
base::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& url, const StoreOptions& options);

}  // namespace ashlar::ledger
