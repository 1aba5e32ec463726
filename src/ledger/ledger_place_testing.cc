#include "ledger/ledger_place_testing.h"

#include <sqlite3.h>

#include <algorithm>
#include <thread>

#include "ledger/postgres_server_testing.h"
#include "ledger/store.h"

namespace ashlar::ledger {
namespace {

constexpr uint64_t kWriters = 64;

base::Status RunSqlite(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  char* problem = nullptr;
  sqlite3_open(path.c_str(), &database);
  const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem);
  const std::string message = problem == nullptr ? "" : problem;
  sqlite3_free(problem);
  sqlite3_close(database);
  if (code != SQLITE_OK) return base::Error(base::StatusCode::kInternal, "{}: {}", sql, message);
  return base::OkStatus();
}

}  // namespace

std::string_view PlaceKindName(PlaceKind kind) { return kind == PlaceKind::kSqlite ? "Sqlite" : "Postgres"; }

base::StatusOr<LedgerPlace> LedgerPlace::Make(PlaceKind kind) {
  ASHLAR_ASSIGN_OR_RETURN(os::TemporaryDirectory folder, os::TemporaryDirectory::Create());
  std::string url = folder.path() + "/ledger.db";
  if (kind == PlaceKind::kPostgres) {
    ASHLAR_ASSIGN_OR_RETURN(PostgresServer* const server, SharedPostgresServer());
    ASHLAR_ASSIGN_OR_RETURN(url, server->CreateDatabase());
  }
  return LedgerPlace(kind, std::move(folder), std::move(url));
}

base::StatusOr<std::unique_ptr<Ledger>> LedgerPlace::Open(const base::Clock& clock) const {
  return Ledger::Open(options(), clock);
}

base::Status LedgerPlace::RunSql(const std::string& sql) const {
  if (kind_ == PlaceKind::kSqlite) return RunSqlite(url_, sql);
  return PostgresServer::RunSql(url_, "SET search_path TO ashlar_ledger; " + sql);
}

std::string LedgerPlace::BytesLiteral(std::string_view bytes) const {
  return fmt::format("{}'{}{}'", kind_ == PlaceKind::kSqlite ? "x" : "", kind_ == PlaceKind::kSqlite ? "" : "\\x",
                     base::HexEncode(bytes));
}

base::StatusOr<std::string> LedgerPlace::EntryBytes(uint64_t sequence) const {
  ASHLAR_ASSIGN_OR_RETURN(const auto store, OpenStore(url_, {.create = false, .read_only = true}));
  std::string bytes;
  ASHLAR_RETURN_IF_ERROR(store->Search({.from_sequence = sequence, .limit = 1}, [&bytes](const EntryRow& row) {
    bytes = row.bytes;
    return base::OkStatus();
  }));
  return bytes;
}

Draft TestDraft(int64_t number) {
  return {.kind = "test.entry", .subject = "host", .actor = "test", .body = {{"number", number}, {"value", 1}}};
}

base::Status Fill(Ledger& ledger, uint64_t count) {
  base::Mutex mutex;
  base::Status first_error;
  uint64_t next = 0;
  const auto write = [&] {
    while (true) {
      int64_t number = 0;
      {
        base::MutexLock lock(mutex);
        if (next == count || !first_error.ok()) return;
        number = static_cast<int64_t>(next++);
      }
      const auto entry = ledger.Append(TestDraft(number));
      base::MutexLock lock(mutex);
      first_error.Update(entry.status());
    }
  };
  std::vector<std::jthread> writers;
  for (uint64_t i = 0; i < std::min(count, kWriters); ++i) writers.emplace_back(write);
  for (std::jthread& writer : writers) writer.join();
  return first_error;
}

}  // namespace ashlar::ledger
