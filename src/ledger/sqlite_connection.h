// SQLite behind statuses: a connection and a prepared statement that close themselves.
//
// For one thread at a time. Messages name the database file and what to do.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::ledger {

struct SqliteOpenOptions {
  bool create = true;
  bool read_only = false;
};

class SqliteConnection {
 public:
  // Opens `path`; waits for other processes up to kWriteLockWait in every call. kNotFound, kPermissionDenied,
  // kDataLoss.
  static base::StatusOr<SqliteConnection> Open(const std::string& path, const SqliteOpenOptions& options);

  // Runs statements without parameters; rows are dropped.
  base::Status Execute(const char* sql);
  // One integer or text from one row; kNotFound when there is no row.
  base::StatusOr<int64_t> QueryInt(const char* sql);
  base::StatusOr<std::string> QueryText(const char* sql);

  // The status for an SQLite result code of `action`.
  base::Status StatusFor(int code, std::string_view action) const;
  sqlite3* handle() { return handle_.get(); }
  const std::string& path() const { return path_; }

 private:
  // Where the busy handler finds when the wait began; on the heap because SQLite keeps its address.
  struct Waiting {
    absl::Duration since;
  };
  static int OnBusy(void* waiting, int tries);

  std::string path_;
  std::unique_ptr<Waiting> waiting_;
  std::unique_ptr<sqlite3, decltype(&sqlite3_close_v2)> handle_{nullptr, &sqlite3_close_v2};
};

class SqliteStatement {
 public:
  SqliteStatement() = default;
  // Prepares once; later calls only rewind it and clear what was bound.
  base::Status Prepare(SqliteConnection& connection, std::string_view sql);

  // Parameters count from 1. Bytes must live until the statement is rewound. An error shows in the next Step.
  void BindInt(int index, int64_t number);
  void BindText(int index, std::string_view text);
  void BindBlob(int index, std::string_view bytes);

  // True when there is a row, false at the end.
  base::StatusOr<bool> Step();
  // Runs a statement that yields no rows, and rewinds it.
  base::Status Run();
  // Ends the reading; columns become invalid.
  void Rewind();

  // Columns count from 0; views hold until the next Step or Rewind.
  int64_t Int(int column) { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view Bytes(int column);

 private:
  SqliteConnection* connection_ = nullptr;
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement_{nullptr, &sqlite3_finalize};
};

}  // namespace ashlar::ledger
