// One PostgreSQL session behind statuses. For one thread at a time; libpq's header stays in the source.
//
// Results come in PostgreSQL's binary form: bigint as 8 bytes, text and bytea as they are. Messages name server and
// database, never the password.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::ledger {

// A parameter: text, or bytes for bytea.
struct PostgresParameter {
  std::string_view value;
  bool is_binary = false;
};

// One row of a result; views hold until the callback returns.
class PostgresRow {
 public:
  PostgresRow(const void* result, int row) : result_(result), row_(row) {}
  // Columns count from 0; a bigint column.
  int64_t Int(int column) const;
  std::string_view Bytes(int column) const;

 private:
  const void* result_;
  int row_;
};

class PostgresConnection {
 public:
  using RowCallback = std::function<base::Status(const PostgresRow&)>;

  // Connects within kConnectWait and sets what the ledger relies on. kInvalidArgument for a malformed URL, kNotFound
  // for a database that is not there, kPermissionDenied, kUnavailable.
  static base::StatusOr<PostgresConnection> Open(const std::string& url);

  // Connects anew when the connection broke.
  base::Status EnsureConnected();
  // Several statements without parameters; rows are dropped.
  base::Status Execute(const char* sql);
  // One statement; `row` is called for each row as it arrives, its first error ends the reading and is returned.
  base::Status Query(const std::string& sql, const std::vector<PostgresParameter>& parameters, const RowCallback& row);
  // The text of one value; "" for NULL or no row.
  base::StatusOr<std::string> QueryText(const std::string& sql);
  // COPY ... FROM STDIN with rows in its text form.
  base::Status CopyIn(const char* sql, std::string_view rows);

  bool InTransaction() const;
  const std::string& name() const { return name_; }

 private:
  struct Session;
  struct CloseSession {
    void operator()(Session* session) const;
  };

  base::Status Configure();
  base::Status StatusOfConnection(std::string_view action) const;
  base::Status StatusOfResult(const void* result) const;
  base::Status Drain(base::Status status, const RowCallback& row);

  std::unique_ptr<Session, CloseSession> session_;
  std::string name_;
};

}  // namespace ashlar::ledger
