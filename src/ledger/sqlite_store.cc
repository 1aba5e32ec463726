// The tables in one SQLite file: write-ahead log, synced at each commit.
#include <filesystem>

#include "ledger/hash_collector.h"
#include "ledger/limits.h"
#include "ledger/sqlite_connection.h"
#include "ledger/store.h"
#include "os/os.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

// One index answers "newest first" by kind, and by kind and subject, without sorting. A subject is looked for in it
// from the newest entry of the kind on: a subject that reports now and then is found at once, one that never did costs
// a scan of the kind. An index of its own would be written with each entry, and cost a tenth of the appends.
constexpr const char* kTables = R"sql(
  CREATE TABLE identity (id INTEGER PRIMARY KEY CHECK (id = 1), origin TEXT NOT NULL, public_key BLOB NOT NULL) STRICT;
  CREATE TABLE entries (sequence INTEGER PRIMARY KEY, leaf BLOB NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
                        bytes TEXT NOT NULL) STRICT;
  CREATE INDEX entries_kind ON entries (kind, sequence, subject);
  CREATE TABLE nodes (level INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,
                      PRIMARY KEY (level, position)) STRICT, WITHOUT ROWID;
  CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), tree_size INTEGER NOT NULL, frontier BLOB NOT NULL,
                     note TEXT NOT NULL) STRICT;
  PRAGMA user_version = 1;
)sql";

// FULL syncs the log at each commit; NORMAL would lose acknowledged entries when the power fails. The log is folded
// back every 4 MiB: a log that still grows makes each sync dearer, since the file system must note new blocks.
constexpr const char* kWriterSettings = R"sql(
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 1024;
)sql";
constexpr const char* kSettings = R"sql(
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA cache_size = -8192;
)sql";

constexpr const char* kColumns = "SELECT sequence, kind, subject, leaf, bytes FROM entries";

class SqliteStore : public Store {
 public:
  explicit SqliteStore(SqliteConnection connection) : connection_(std::move(connection)) {}

  base::Status Configure(bool read_only) {
    ASHLAR_RETURN_IF_ERROR(connection_.Execute(kSettings));
    if (read_only) return base::OkStatus();
    ASHLAR_RETURN_IF_ERROR(EnterWal());
    return connection_.Execute(kWriterSettings);
  }

  base::Status BeginWrite() override {
    ASHLAR_RETURN_IF_ERROR(begin_write_.Prepare(connection_, "BEGIN IMMEDIATE"));
    return begin_write_.Run();
  }
  base::Status BeginRead() override { return connection_.Execute("BEGIN"); }

  base::Status CreateTables() override { return connection_.Execute(kTables); }

  base::Status WriteIdentity(const Identity& identity) override {
    SqliteStatement insert;
    ASHLAR_RETURN_IF_ERROR(
        insert.Prepare(connection_, "INSERT INTO identity (id, origin, public_key) VALUES (1, ?1, ?2)"));
    insert.BindText(1, identity.origin);
    insert.BindBlob(2, identity.public_key);
    return insert.Run();
  }

  base::Status Write(const Batch& batch) override {
    for (const StoredEntry& entry : batch.entries) {
      ASHLAR_RETURN_IF_ERROR(insert_entry_.Prepare(
          connection_, "INSERT INTO entries (sequence, leaf, kind, subject, bytes) VALUES (?1, ?2, ?3, ?4, ?5)"));
      insert_entry_.BindInt(1, static_cast<int64_t>(entry.sequence));
      insert_entry_.BindBlob(2, base::AsBytes(entry.leaf));
      insert_entry_.BindText(3, entry.kind);
      insert_entry_.BindText(4, entry.subject);
      insert_entry_.BindText(5, entry.bytes);
      ASHLAR_RETURN_IF_ERROR(insert_entry_.Run());
    }
    for (const TreeNode& node : batch.nodes) {
      ASHLAR_RETURN_IF_ERROR(
          insert_node_.Prepare(connection_, "INSERT INTO nodes (level, position, hash) VALUES (?1, ?2, ?3)"));
      insert_node_.BindInt(1, node.level);
      insert_node_.BindInt(2, static_cast<int64_t>(node.position));
      insert_node_.BindBlob(3, base::AsBytes(node.hash));
      ASHLAR_RETURN_IF_ERROR(insert_node_.Run());
    }
    ASHLAR_RETURN_IF_ERROR(write_head_.Prepare(
        connection_, "INSERT OR REPLACE INTO head (id, tree_size, frontier, note) VALUES (1, ?1, ?2, ?3)"));
    write_head_.BindInt(1, static_cast<int64_t>(batch.head.tree_size));
    write_head_.BindBlob(2, batch.head.frontier);
    write_head_.BindText(3, batch.head.note);
    return write_head_.Run();
  }

  base::Status Commit() override {
    ASHLAR_RETURN_IF_ERROR(commit_.Prepare(connection_, "COMMIT"));
    return commit_.Run();
  }

  void EndTransaction() override {
    // A statement left in the middle would keep the transaction open.
    for (SqliteStatement* statement : {&insert_entry_, &insert_node_, &write_head_, &read_head_, &read_end_}) {
      statement->Rewind();
    }
    if (sqlite3_get_autocommit(connection_.handle()) == 0) {
      sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }

  base::StatusOr<std::optional<int64_t>> SchemaVersion() override {
    ASHLAR_ASSIGN_OR_RETURN(const int64_t tables, connection_.QueryInt("SELECT count(*) FROM sqlite_master"));
    if (tables == 0) return std::nullopt;
    ASHLAR_ASSIGN_OR_RETURN(const int64_t version, connection_.QueryInt("PRAGMA user_version"));
    return version;
  }

  base::StatusOr<std::optional<Identity>> ReadIdentity() override {
    SqliteStatement select;
    ASHLAR_RETURN_IF_ERROR(select.Prepare(connection_, "SELECT origin, public_key FROM identity"));
    ASHLAR_ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return std::nullopt;
    return Identity{.origin = std::string(select.Bytes(0)), .public_key = std::string(select.Bytes(1))};
  }

  base::StatusOr<std::optional<StoredHead>> ReadHead() override {
    ASHLAR_RETURN_IF_ERROR(read_head_.Prepare(connection_, "SELECT tree_size, frontier, note FROM head"));
    ASHLAR_ASSIGN_OR_RETURN(const bool has_row, read_head_.Step());
    std::optional<StoredHead> head;
    if (has_row) {
      head = StoredHead{.tree_size = static_cast<uint64_t>(read_head_.Int(0)),
                        .frontier = std::string(read_head_.Bytes(1)),
                        .note = std::string(read_head_.Bytes(2))};
    }
    read_head_.Rewind();
    return head;
  }

  base::StatusOr<uint64_t> End() override {
    ASHLAR_RETURN_IF_ERROR(read_end_.Prepare(connection_, "SELECT coalesce(max(sequence) + 1, 0) FROM entries"));
    ASHLAR_RETURN_IF_ERROR(read_end_.Step().status());
    const auto end = static_cast<uint64_t>(read_end_.Int(0));
    read_end_.Rewind();
    return end;
  }

  base::Status Search(const Query& query, const RowCallback& row) override {
    std::string sql = fmt::format("{} WHERE sequence >= ?1", kColumns);
    if (!query.kind.empty()) sql += " AND kind = ?2";
    if (!query.subject.empty()) sql += " AND subject = ?3";
    sql += query.newest_first ? " ORDER BY sequence DESC LIMIT ?4" : " ORDER BY sequence LIMIT ?4";
    SqliteStatement select;
    ASHLAR_RETURN_IF_ERROR(select.Prepare(connection_, sql));
    select.BindInt(1, static_cast<int64_t>(std::min(query.from_sequence, kMaxTreeSize)));
    if (!query.kind.empty()) select.BindText(2, query.kind);
    if (!query.subject.empty()) select.BindText(3, query.subject);
    select.BindInt(4, static_cast<int64_t>(query.limit));
    return ForEachRow(select, row);
  }

  base::Status ScanAll(const RowCallback& row) override {
    SqliteStatement select;
    ASHLAR_RETURN_IF_ERROR(select.Prepare(connection_, fmt::format("{} ORDER BY sequence", kColumns)));
    return ForEachRow(select, row);
  }

  base::StatusOr<std::vector<base::Sha256Digest>> ReadHashes(uint32_t level, uint64_t begin, uint64_t end) override;

  base::Status ScanNodes(const NodeCallback& node) override {
    SqliteStatement select;
    ASHLAR_RETURN_IF_ERROR(
        select.Prepare(connection_, "SELECT level, position, hash FROM nodes ORDER BY level, position"));
    while (true) {
      ASHLAR_ASSIGN_OR_RETURN(const bool has_row, select.Step());
      if (!has_row) return base::OkStatus();
      node({.level = static_cast<uint32_t>(select.Int(0)),
            .position = static_cast<uint64_t>(select.Int(1)),
            .hash = select.Bytes(2)});
    }
  }

  std::string Name() const override { return connection_.path(); }

 private:
  // Several processes may turn the same new file over at once, and SQLite does not ask the busy handler for this.
  base::Status EnterWal() {
    const absl::Duration start = base::SystemClock().Monotonic();
    while (true) {
      const auto mode = connection_.QueryText("PRAGMA journal_mode = WAL");
      if (mode.ok() && *mode == "wal") return base::OkStatus();
      if (mode.ok()) {
        return base::Error(StatusCode::kFailedPrecondition,
                           "ledger {}: its file system has no shared memory for a write-ahead log ({}): keep the "
                           "ledger on a local disk, or in PostgreSQL",
                           connection_.path(), *mode);
      }
      const bool waited_enough = base::SystemClock().Monotonic() - start > kWriteLockWait;
      if (mode.status().code() != StatusCode::kUnavailable || waited_enough) return mode.status();
      sqlite3_sleep(1);
    }
  }

  static base::Status ForEachRow(SqliteStatement& select, const RowCallback& row) {
    while (true) {
      ASHLAR_ASSIGN_OR_RETURN(const bool has_row, select.Step());
      if (!has_row) return base::OkStatus();
      ASHLAR_RETURN_IF_ERROR(row({.sequence = static_cast<uint64_t>(select.Int(0)),
                                  .kind = select.Bytes(1),
                                  .subject = select.Bytes(2),
                                  .leaf = select.Bytes(3),
                                  .bytes = select.Bytes(4)}));
    }
  }

  SqliteConnection connection_;
  SqliteStatement begin_write_;
  SqliteStatement commit_;
  SqliteStatement insert_entry_;
  SqliteStatement insert_node_;
  SqliteStatement write_head_;
  SqliteStatement read_head_;
  SqliteStatement read_end_;
};

base::StatusOr<std::vector<base::Sha256Digest>> SqliteStore::ReadHashes(uint32_t level, uint64_t begin, uint64_t end) {
  SqliteStatement select;
  ASHLAR_RETURN_IF_ERROR(select.Prepare(
      connection_, level == 0 ? "SELECT sequence, leaf FROM entries WHERE sequence >= ?1 AND sequence < ?2 "
                                "ORDER BY sequence"
                              : "SELECT position, hash FROM nodes WHERE position >= ?1 AND position < ?2 AND "
                                "level = ?3 ORDER BY position"));
  select.BindInt(1, static_cast<int64_t>(begin));
  select.BindInt(2, static_cast<int64_t>(end));
  if (level != 0) select.BindInt(3, level);
  HashCollector collector(level, begin, end);
  while (true) {
    ASHLAR_ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return std::move(collector).Take();
    ASHLAR_RETURN_IF_ERROR(collector.Add(static_cast<uint64_t>(select.Int(0)), select.Bytes(1)));
  }
}

// The folder of a new ledger, made so that it survives power loss.
base::Status MakeFolder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) return base::OkStatus();
  ASHLAR_RETURN_IF_ERROR(base::Annotate(os::RealFileSystem().CreateDirectories(folder),
                                        fmt::format("making the folder of ledger {}", path)));
  return base::OkStatus();
}

}  // namespace

base::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, const StoreOptions& options) {
  const auto stat = os::RealFileSystem().Stat(path);
  const bool is_missing = !stat.ok() && stat.status().code() == StatusCode::kNotFound;
  if (is_missing && (!options.create || options.read_only)) {
    return base::Error(StatusCode::kNotFound, "ledger {}: there is none; `ashlar up` or `ashlar check` begins one",
                       path);
  }
  if (is_missing) ASHLAR_RETURN_IF_ERROR(MakeFolder(path));
  ASHLAR_ASSIGN_OR_RETURN(SqliteConnection connection,
                          SqliteConnection::Open(path, {.create = options.create, .read_only = options.read_only}));
  auto store = std::make_unique<SqliteStore>(std::move(connection));
  ASHLAR_RETURN_IF_ERROR(store->Configure(options.read_only));
  return store;
}

}  // namespace ashlar::ledger
