// Where a test keeps a ledger: an SQLite file or a database of a real PostgreSQL server, and a way to tamper with it.
//
// For one thread, except where said.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/base.h"
#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::ledger {

enum class PlaceKind { kSqlite, kPostgres };
std::string_view PlaceKindName(PlaceKind kind);

class LedgerPlace {
 public:
  static base::StatusOr<LedgerPlace> Make(PlaceKind kind);

  // Of the ledger in this place; create is true.
  Options options() const { return {.url = url_, .key_path = folder_.path() + "/ledger.key"}; }
  const std::string& folder() const { return folder_.path(); }
  base::StatusOr<std::unique_ptr<Ledger>> Open(const base::Clock& clock = base::SystemClock()) const;

  // Runs SQL on the tables, as somebody with another tool would.
  base::Status RunSql(const std::string& sql) const;
  // A literal of these bytes in the database's SQL.
  std::string BytesLiteral(std::string_view bytes) const;
  // The bytes of one entry as stored.
  base::StatusOr<std::string> EntryBytes(uint64_t sequence) const;

 private:
  LedgerPlace(PlaceKind kind, os::TemporaryDirectory folder, std::string url)
      : kind_(kind), folder_(std::move(folder)), url_(std::move(url)) {}

  PlaceKind kind_;
  os::TemporaryDirectory folder_;
  std::string url_;
};

// A draft of kind "test.entry" whose body is {"number": number, "value": 1}.
Draft TestDraft(int64_t number);

// Appends `count` drafts from enough threads that they share few commits; the numbers come in any order.
base::Status Fill(Ledger& ledger, uint64_t count);

}  // namespace ashlar::ledger
