// A real PostgreSQL server for tests: its own folder, a socket in it and no TCP, ended with the object.
//
// For the thread that started it.
#pragma once

#include <memory>
#include <string>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::ledger {

class PostgresServer {
 public:
  // Makes and starts one; as root it runs as the user postgres, which it refuses to do without. kNotFound naming the
  // package when the programs are not installed.
  static base::StatusOr<std::unique_ptr<PostgresServer>> Start();
  ~PostgresServer();

  // URL of a new, empty database.
  base::StatusOr<std::string> CreateDatabase();
  // Runs SQL in the database of `url` through psql, as somebody with other tools would.
  static base::Status RunSql(const std::string& url, const std::string& sql);
  // What psql prints, unaligned, without headers.
  static base::StatusOr<std::string> QuerySql(const std::string& url, const std::string& sql);
  // Ends it at once, as a crash would, and starts it again on the same data.
  base::Status CrashAndRestart();

 private:
  PostgresServer(os::TemporaryDirectory folder, std::string programs)
      : folder_(std::move(folder)), programs_(std::move(programs)) {}
  base::Status Initialise();
  base::Status Launch();
  std::string Url(const std::string& database) const;

  os::TemporaryDirectory folder_;
  std::string programs_;  // folder of initdb and postgres
  std::optional<os::ChildProcess> server_;
  int databases_ = 0;
};

// The one server of this test program, started when first asked for.
base::StatusOr<PostgresServer*> SharedPostgresServer();

}  // namespace ashlar::ledger
