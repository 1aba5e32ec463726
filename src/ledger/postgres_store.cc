// The tables in the schema ashlar_ledger of one PostgreSQL database.
#include <algorithm>

#include "ledger/hash_collector.h"
#include "ledger/limits.h"
#include "ledger/postgres_connection.h"
#include "ledger/store.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr const char* kTables = R"sql(
  CREATE SCHEMA IF NOT EXISTS ashlar_ledger;
  CREATE TABLE ashlar_ledger.schema_version (version bigint NOT NULL);
  INSERT INTO ashlar_ledger.schema_version VALUES (1);
  CREATE TABLE ashlar_ledger.identity (id bigint PRIMARY KEY CHECK (id = 1), origin text NOT NULL,
                                       public_key bytea NOT NULL);
  CREATE TABLE ashlar_ledger.entries (sequence bigint PRIMARY KEY, leaf bytea NOT NULL, kind text NOT NULL,
                                      subject text NOT NULL, bytes text NOT NULL);
  CREATE INDEX entries_kind ON ashlar_ledger.entries (kind, sequence);
  CREATE INDEX entries_kind_subject ON ashlar_ledger.entries (kind, subject, sequence);
  CREATE TABLE ashlar_ledger.nodes (level bigint NOT NULL, position bigint NOT NULL, hash bytea NOT NULL,
                                    PRIMARY KEY (level, position));
  CREATE TABLE ashlar_ledger.head (id bigint PRIMARY KEY CHECK (id = 1), tree_size bigint NOT NULL,
                                   frontier bytea NOT NULL, note text NOT NULL);
)sql";

// One writer at a time over all sessions of the database: numbers have no gaps. The number is "ashlar" and the room.
constexpr const char* kBeginWrite =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(107134560858881)";
constexpr const char* kBeginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

constexpr const char* kColumns = "SELECT sequence, kind, subject, leaf, bytes FROM ashlar_ledger.entries";

// The text form of COPY (PostgreSQL 15, COPY, "Text Format"); ours hold no control characters.
void AppendCopyText(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '\\') out += '\\';
    out += c;
  }
}

EntryRow ToEntryRow(const PostgresRow& row) {
  return {.sequence = static_cast<uint64_t>(row.Int(0)),
          .kind = row.Bytes(1),
          .subject = row.Bytes(2),
          .leaf = row.Bytes(3),
          .bytes = row.Bytes(4)};
}

std::string Number(uint64_t number) { return fmt::format("{}", std::min(number, kMaxTreeSize)); }

class PostgresStore : public Store {
 public:
  explicit PostgresStore(PostgresConnection connection) : connection_(std::move(connection)) {}

  base::Status CheckDurable() {
    ASHLAR_ASSIGN_OR_RETURN(const std::string fsync, connection_.QueryText("SELECT current_setting('fsync')"));
    if (fsync == "on") return base::OkStatus();
    return base::Error(StatusCode::kFailedPrecondition,
                       "ledger {}: the server runs with fsync = {} and would lose acknowledged entries: set it to on",
                       Name(), fsync);
  }

  base::Status BeginWrite() override {
    ASHLAR_RETURN_IF_ERROR(connection_.EnsureConnected());
    return connection_.Execute(kBeginWrite);
  }

  base::Status BeginRead() override {
    ASHLAR_RETURN_IF_ERROR(connection_.EnsureConnected());
    return connection_.Execute(kBeginRead);
  }

  base::Status CreateTables() override {
    ASHLAR_ASSIGN_OR_RETURN(const std::string encoding,
                            connection_.QueryText("SELECT current_setting('server_encoding')"));
    if (encoding != "UTF8") {
      return base::Error(StatusCode::kFailedPrecondition,
                         "ledger {}: the database is encoded in {}: make one with `createdb --encoding UTF8`", Name(),
                         encoding);
    }
    return connection_.Execute(kTables);
  }

  base::Status WriteIdentity(const Identity& identity) override {
    return connection_.Query("INSERT INTO ashlar_ledger.identity VALUES (1, $1, $2)",
                             {{.value = identity.origin}, {.value = identity.public_key, .is_binary = true}}, nullptr);
  }

  base::Status Write(const Batch& batch) override {
    std::string rows;
    for (const StoredEntry& entry : batch.entries) {
      rows += fmt::format("{}\t\\\\x{}\t{}\t", entry.sequence, base::HexEncode(entry.leaf), entry.kind);
      AppendCopyText(entry.subject, rows);
      rows += '\t';
      AppendCopyText(entry.bytes, rows);
      rows += '\n';
    }
    ASHLAR_RETURN_IF_ERROR(
        connection_.CopyIn("COPY ashlar_ledger.entries (sequence, leaf, kind, subject, bytes) FROM STDIN", rows));
    for (const TreeNode& node : batch.nodes) {
      ASHLAR_RETURN_IF_ERROR(connection_.Query("INSERT INTO ashlar_ledger.nodes VALUES ($1, $2, $3)",
                                               {{.value = Number(node.level)},
                                                {.value = Number(node.position)},
                                                {.value = base::AsBytes(node.hash), .is_binary = true}},
                                               nullptr));
    }
    return connection_.Query(
        "INSERT INTO ashlar_ledger.head VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE SET "
        "tree_size = excluded.tree_size, frontier = excluded.frontier, note = excluded.note",
        {{.value = Number(batch.head.tree_size)},
         {.value = batch.head.frontier, .is_binary = true},
         {.value = batch.head.note}},
        nullptr);
  }

  base::Status Commit() override { return connection_.Execute("COMMIT"); }

  void EndTransaction() override {
    if (connection_.InTransaction()) connection_.Execute("ROLLBACK").IgnoreError();
  }

  base::StatusOr<std::optional<int64_t>> SchemaVersion() override {
    // Asked of the catalogue itself: a name lookup may still remember that there was none before the write lock.
    ASHLAR_ASSIGN_OR_RETURN(const std::string table,
                            connection_.QueryText("SELECT relname::text FROM pg_catalog.pg_class c JOIN "
                                                  "pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE "
                                                  "nspname = 'ashlar_ledger' AND relname = 'schema_version'"));
    if (table.empty()) return std::nullopt;
    int64_t version = 0;
    ASHLAR_RETURN_IF_ERROR(connection_.Query("SELECT max(version) FROM ashlar_ledger.schema_version", {},
                                             [&version](const PostgresRow& row) {
                                               version = row.Int(0);
                                               return base::OkStatus();
                                             }));
    return version;
  }

  base::StatusOr<std::optional<Identity>> ReadIdentity() override {
    std::optional<Identity> identity;
    ASHLAR_RETURN_IF_ERROR(connection_.Query(
        "SELECT origin, public_key FROM ashlar_ledger.identity", {}, [&identity](const PostgresRow& row) {
          identity = Identity{.origin = std::string(row.Bytes(0)), .public_key = std::string(row.Bytes(1))};
          return base::OkStatus();
        }));
    return identity;
  }

  base::StatusOr<std::optional<StoredHead>> ReadHead() override {
    std::optional<StoredHead> head;
    ASHLAR_RETURN_IF_ERROR(connection_.Query("SELECT tree_size, frontier, note FROM ashlar_ledger.head", {},
                                             [&head](const PostgresRow& row) {
                                               head = StoredHead{.tree_size = static_cast<uint64_t>(row.Int(0)),
                                                                 .frontier = std::string(row.Bytes(1)),
                                                                 .note = std::string(row.Bytes(2))};
                                               return base::OkStatus();
                                             }));
    return head;
  }

  base::StatusOr<uint64_t> End() override {
    uint64_t end = 0;
    ASHLAR_RETURN_IF_ERROR(connection_.Query("SELECT coalesce(max(sequence) + 1, 0) FROM ashlar_ledger.entries", {},
                                             [&end](const PostgresRow& row) {
                                               end = static_cast<uint64_t>(row.Int(0));
                                               return base::OkStatus();
                                             }));
    return end;
  }

  base::Status Search(const Query& query, const RowCallback& row) override {
    const std::string from = Number(query.from_sequence);
    const std::string limit = fmt::format("{}", query.limit);
    std::vector<PostgresParameter> parameters = {{.value = from}, {.value = limit}};
    std::string sql = fmt::format("{} WHERE sequence >= $1", kColumns);
    if (!query.kind.empty()) {
      parameters.push_back({.value = query.kind});
      sql += fmt::format(" AND kind = ${}", parameters.size());
    }
    if (!query.subject.empty()) {
      parameters.push_back({.value = query.subject});
      sql += fmt::format(" AND subject = ${}", parameters.size());
    }
    sql += query.newest_first ? " ORDER BY sequence DESC LIMIT $2" : " ORDER BY sequence LIMIT $2";
    return connection_.Query(sql, parameters, [&row](const PostgresRow& found) { return row(ToEntryRow(found)); });
  }

  base::Status ScanAll(const RowCallback& row) override {
    return connection_.Query(fmt::format("{} ORDER BY sequence", kColumns), {},
                             [&row](const PostgresRow& found) { return row(ToEntryRow(found)); });
  }

  base::StatusOr<std::vector<base::Sha256Digest>> ReadHashes(uint32_t level, uint64_t begin, uint64_t end) override {
    HashCollector collector(level, begin, end);
    const std::string sql =
        level == 0 ? "SELECT sequence, leaf FROM ashlar_ledger.entries WHERE sequence >= $1 AND sequence < $2 "
                     "ORDER BY sequence"
                   : fmt::format(
                         "SELECT position, hash FROM ashlar_ledger.nodes WHERE level = {} AND position >= $1 "
                         "AND position < $2 ORDER BY position",
                         level);
    ASHLAR_RETURN_IF_ERROR(connection_.Query(sql, {{.value = Number(begin)}, {.value = Number(end)}},
                                             [&collector](const PostgresRow& row) {
                                               return collector.Add(static_cast<uint64_t>(row.Int(0)), row.Bytes(1));
                                             }));
    return std::move(collector).Take();
  }

  base::Status ScanNodes(const NodeCallback& node) override {
    return connection_.Query("SELECT level, position, hash FROM ashlar_ledger.nodes ORDER BY level, position", {},
                             [&node](const PostgresRow& row) {
                               node({.level = static_cast<uint32_t>(row.Int(0)),
                                     .position = static_cast<uint64_t>(row.Int(1)),
                                     .hash = row.Bytes(2)});
                               return base::OkStatus();
                             });
  }

  std::string Name() const override { return connection_.name(); }

 private:
  PostgresConnection connection_;
};

}  // namespace

base::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, const StoreOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(PostgresConnection connection, PostgresConnection::Open(url));
  auto store = std::make_unique<PostgresStore>(std::move(connection));
  if (!options.read_only) ASHLAR_RETURN_IF_ERROR(store->CheckDurable());
  return store;
}

}  // namespace ashlar::ledger
