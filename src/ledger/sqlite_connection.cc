#include "ledger/sqlite_connection.h"

#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr int kBusyPollMilliseconds = 1;  // SQLite has no way to be woken when another process lets go

}  // namespace

base::StatusOr<SqliteConnection> SqliteConnection::Open(const std::string& path, const SqliteOpenOptions& options) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options.create && !options.read_only) flags |= SQLITE_OPEN_CREATE;
  SqliteConnection connection;
  connection.path_ = path;
  connection.waiting_ = std::make_unique<Waiting>();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  connection.handle_.reset(handle);
  if (code != SQLITE_OK) return connection.StatusFor(code, "opening");
  sqlite3_busy_handler(handle, &OnBusy, connection.waiting_.get());
  return connection;
}

int SqliteConnection::OnBusy(void* waiting, int tries) {
  auto& since = static_cast<Waiting*>(waiting)->since;
  const absl::Duration now = base::SystemClock().Monotonic();
  if (tries == 0) since = now;
  if (now - since > kWriteLockWait) return 0;
  sqlite3_sleep(kBusyPollMilliseconds);
  return 1;
}

base::Status SqliteConnection::Execute(const char* sql) {
  return StatusFor(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr), "writing");
}

base::StatusOr<int64_t> SqliteConnection::QueryInt(const char* sql) {
  SqliteStatement statement;
  ASHLAR_RETURN_IF_ERROR(statement.Prepare(*this, sql));
  ASHLAR_ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  if (!has_row) return base::Error(StatusCode::kNotFound, "ledger {}: no row", path_);
  return statement.Int(0);
}

base::StatusOr<std::string> SqliteConnection::QueryText(const char* sql) {
  SqliteStatement statement;
  ASHLAR_RETURN_IF_ERROR(statement.Prepare(*this, sql));
  ASHLAR_ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  if (!has_row) return base::Error(StatusCode::kNotFound, "ledger {}: no row", path_);
  return std::string(statement.Bytes(0));
}

base::Status SqliteConnection::StatusFor(int code, std::string_view action) const {
  struct Row {
    int primary;
    StatusCode status;
    const char* remedy;
  };
  static constexpr Row kRows[] = {
      {SQLITE_CORRUPT, StatusCode::kDataLoss,
       "the database is damaged: restore a copy, or start a new ledger elsewhere"},
      {SQLITE_NOTADB, StatusCode::kDataLoss, "the file is no SQLite database: restore a copy, or name another file"},
      {SQLITE_FULL, StatusCode::kResourceExhausted, "the disk is full: free space and try again; nothing was lost"},
      {SQLITE_NOMEM, StatusCode::kResourceExhausted, "memory ran out"},
      {SQLITE_TOOBIG, StatusCode::kResourceExhausted, "too large for SQLite"},
      {SQLITE_READONLY, StatusCode::kPermissionDenied,
       "it may not be written: check owner and mode of file and folder"},
      {SQLITE_PERM, StatusCode::kPermissionDenied, "access refused: check owner and mode of file and folder"},
      {SQLITE_CANTOPEN, StatusCode::kPermissionDenied,
       "file or folder cannot be opened: check that the folder exists and may be written"},
      {SQLITE_BUSY, StatusCode::kUnavailable, "another process holds the write lock: try again, or end that process"},
      {SQLITE_LOCKED, StatusCode::kUnavailable, "another connection holds a lock: try again"},
      {SQLITE_IOERR, StatusCode::kInternal, "reading or writing the disk failed: see the kernel log"},
      {SQLITE_CONSTRAINT, StatusCode::kDataLoss,
       "a row stands where the next was to be written: run `ashlar ledger verify`"},
  };
  const int primary = code & 0xFF;
  if (primary == SQLITE_OK || primary == SQLITE_ROW || primary == SQLITE_DONE) return base::OkStatus();
  const char* said = sqlite3_errmsg(handle_.get());
  for (const Row& row : kRows) {
    if (row.primary == primary) {
      return base::Error(row.status, "{} ledger {}: {} (SQLite {}: {})", action, path_, row.remedy, code, said);
    }
  }
  return base::Error(StatusCode::kInternal, "{} ledger {}: SQLite {}: {}", action, path_, code, said);
}

base::Status SqliteStatement::Prepare(SqliteConnection& connection, std::string_view sql) {
  if (statement_ != nullptr) {
    Rewind();
    return base::OkStatus();
  }
  connection_ = &connection;
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  return connection.StatusFor(code, "reading");
}

void SqliteStatement::BindInt(int index, int64_t number) { sqlite3_bind_int64(statement_.get(), index, number); }

void SqliteStatement::BindText(int index, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void SqliteStatement::BindBlob(int index, std::string_view bytes) {
  // A null pointer would bind NULL, also for an empty view.
  sqlite3_bind_blob64(statement_.get(), index, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
}

base::StatusOr<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return connection_->StatusFor(code, sqlite3_stmt_readonly(statement_.get()) != 0 ? "reading" : "writing");
}

base::Status SqliteStatement::Run() {
  const auto stepped = Step();
  Rewind();
  return stepped.status();
}

void SqliteStatement::Rewind() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string_view SqliteStatement::Bytes(int column) {
  // Blob first: asking for text would convert and allocate.
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

}  // namespace ashlar::ledger
