#include "ledger/postgres_connection.h"

#include <libpq-fe.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;
using ResultPointer = std::unique_ptr<PGresult, decltype(&PQclear)>;

// lock_timeout bounds the wait for the write lock; on keeps an acknowledged entry through a crash of the server.
std::string SessionSettings() {
  return fmt::format("SET synchronous_commit = on; SET lock_timeout = {}; SET client_min_messages = warning;",
                     absl::ToInt64Milliseconds(kWriteLockWait));
}

ResultPointer Own(PGresult* result) { return ResultPointer(result, &PQclear); }

const PGresult* AsResult(const void* result) { return static_cast<const PGresult*>(result); }

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// A failed connection has no code, only words of the server (never translated: lc_messages is for later).
StatusCode CodeOfConnection(std::string_view said) {
  if (Contains(said, "database") && Contains(said, "does not exist")) return StatusCode::kNotFound;
  for (const char* refused : {"authentication failed", "no password supplied", "does not exist", "permission denied",
                              "no pg_hba.conf entry"}) {
    if (Contains(said, refused) && !Contains(said, "No such file")) return StatusCode::kPermissionDenied;
  }
  return StatusCode::kUnavailable;
}

struct StateRow {
  std::string_view state;  // SQLSTATE, or its class
  StatusCode code;
  const char* remedy;
};

// PostgreSQL 15, appendix A.
constexpr StateRow kStates[] = {
    {"55P03", StatusCode::kUnavailable, "another writer holds the ledger: try again, or end that session"},
    {"40", StatusCode::kUnavailable, "the server ended the transaction: try again"},
    {"57", StatusCode::kUnavailable, "the server is stopping: try again when it is back"},
    {"08", StatusCode::kUnavailable, "the connection broke: try again"},
    {"53", StatusCode::kResourceExhausted,
     "the server ran out of disk, memory or connections: free some; nothing was lost"},
    {"54", StatusCode::kResourceExhausted, "too large for the server"},
    {"42501", StatusCode::kPermissionDenied, "the role may not do this: grant it the schema ashlar_ledger"},
    {"25006", StatusCode::kPermissionDenied, "the server accepts no writes: name the primary"},
    {"23", StatusCode::kDataLoss, "a row stands where the next was to be written: run `ashlar ledger verify`"},
    {"XX001", StatusCode::kDataLoss, "the database is damaged: restore a copy"},
    {"XX002", StatusCode::kDataLoss, "an index is damaged: restore a copy, or reindex"},
};

std::string_view FirstLine(std::string_view text) { return base::Trim(text.substr(0, text.find('\n'))); }

}  // namespace

struct PostgresConnection::Session {
  PGconn* connection = nullptr;
  bool is_broken = false;
};

void PostgresConnection::CloseSession::operator()(Session* session) const {
  PQfinish(session->connection);
  delete session;
}

int64_t PostgresRow::Int(int column) const {
  uint64_t number = 0;
  for (const char byte : Bytes(column)) number = (number << 8U) | static_cast<unsigned char>(byte);
  return static_cast<int64_t>(number);
}

std::string_view PostgresRow::Bytes(int column) const {
  const PGresult* result = AsResult(result_);
  return {PQgetvalue(result, row_, column), static_cast<size_t>(PQgetlength(result, row_, column))};
}

base::StatusOr<PostgresConnection> PostgresConnection::Open(const std::string& url) {
  PQconninfoOption* parsed = PQconninfoParse(url.c_str(), nullptr);
  if (parsed == nullptr) {
    return base::Error(StatusCode::kInvalidArgument,
                       "the ledger's URL is malformed: want postgresql://USER@HOST:PORT/DATABASE");
  }
  PQconninfoFree(parsed);
  const std::string wait = fmt::format("{}", absl::ToInt64Seconds(kConnectWait));
  // Later words win: a timeout in the URL replaces ours, an encoding does not.
  const char* const words[] = {"connect_timeout", "application_name", "dbname", "client_encoding", nullptr};
  const char* const values[] = {wait.c_str(), "ashlar", url.c_str(), "UTF8", nullptr};
  PostgresConnection connection;
  connection.session_.reset(new Session{.connection = PQconnectdbParams(words, values, 1)});
  PGconn* raw = connection.session_->connection;
  const auto text = [](const char* value) { return value == nullptr ? "" : value; };
  connection.name_ = fmt::format("postgresql://{}:{}/{}", text(PQhost(raw)), text(PQport(raw)), text(PQdb(raw)));
  ASHLAR_RETURN_IF_ERROR(connection.Configure());
  return connection;
}

base::Status PostgresConnection::Configure() {
  if (PQstatus(session_->connection) != CONNECTION_OK) return StatusOfConnection("connecting to");
  return Execute(SessionSettings().c_str());
}

base::Status PostgresConnection::StatusOfConnection(std::string_view action) const {
  const std::string said = PQerrorMessage(session_->connection);
  return base::Error(CodeOfConnection(said), "{} ledger {}: {}: check that the server runs and accepts this role",
                     action, name_, FirstLine(said));
}

base::Status PostgresConnection::StatusOfResult(const void* raw) const {
  const PGresult* result = AsResult(raw);
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE && result != nullptr) return base::OkStatus();
  const char* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (field == nullptr || PQstatus(session_->connection) != CONNECTION_OK) {
    session_->is_broken = true;  // libpq made the error up: the server is gone, whatever PQstatus still says
    return StatusOfConnection("using");
  }
  const std::string_view state = field;
  const std::string_view said = FirstLine(PQresultErrorMessage(result));
  for (const StateRow& row : kStates) {
    if (state.starts_with(row.state)) {
      return base::Error(row.code, "ledger {}: {} ({}: {})", name_, row.remedy, state, said);
    }
  }
  return base::Error(StatusCode::kInternal, "ledger {}: {}: {}", name_, state, said);
}

base::Status PostgresConnection::EnsureConnected() {
  if (!session_->is_broken && PQstatus(session_->connection) == CONNECTION_OK) return base::OkStatus();
  PQreset(session_->connection);
  session_->is_broken = false;
  return Configure();
}

base::Status PostgresConnection::Execute(const char* sql) {
  return StatusOfResult(Own(PQexec(session_->connection, sql)).get());
}

// Takes everything that is left of the answer: the session must be clean for what comes next.
base::Status PostgresConnection::Drain(base::Status status, const RowCallback& row) {
  while (PGresult* raw = PQgetResult(session_->connection)) {
    const ResultPointer result = Own(raw);
    if (!status.ok()) continue;
    status = StatusOfResult(raw);
    for (int i = 0; status.ok() && row && i < PQntuples(raw); ++i) status = row(PostgresRow(raw, i));
  }
  return status;
}

base::Status PostgresConnection::Query(const std::string& sql, const std::vector<PostgresParameter>& parameters,
                                       const RowCallback& row) {
  std::vector<std::string> copies;  // libpq wants text parameters ended by a zero
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  copies.reserve(parameters.size());
  for (const PostgresParameter& parameter : parameters) {
    values.push_back(copies.emplace_back(parameter.value).c_str());
    lengths.push_back(static_cast<int>(parameter.value.size()));
    formats.push_back(parameter.is_binary ? 1 : 0);
  }
  PGconn* connection = session_->connection;
  if (PQsendQueryParams(connection, sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                        lengths.data(), formats.data(), 1) != 1) {
    return StatusOfConnection("asking");
  }
  PQsetSingleRowMode(connection);  // else a long answer would stand in memory as a whole
  return Drain(base::OkStatus(), row);
}

base::StatusOr<std::string> PostgresConnection::QueryText(const std::string& sql) {
  std::string text;
  ASHLAR_RETURN_IF_ERROR(Query(sql, {}, [&text](const PostgresRow& row) {
    text = row.Bytes(0);
    return base::OkStatus();
  }));
  return text;
}

base::Status PostgresConnection::CopyIn(const char* sql, std::string_view rows) {
  PGconn* connection = session_->connection;
  const ResultPointer began = Own(PQexec(connection, sql));
  if (PQresultStatus(began.get()) != PGRES_COPY_IN) return StatusOfResult(began.get());
  const bool sent = PQputCopyData(connection, rows.data(), static_cast<int>(rows.size())) == 1 &&
                    PQputCopyEnd(connection, nullptr) == 1;
  const base::Status status = sent ? base::OkStatus() : StatusOfConnection("writing to");
  return Drain(status, nullptr);
}

bool PostgresConnection::InTransaction() const {
  return !session_->is_broken && PQstatus(session_->connection) == CONNECTION_OK &&
         PQtransactionStatus(session_->connection) != PQTRANS_IDLE;
}

}  // namespace ashlar::ledger
