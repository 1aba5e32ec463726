#include "ledger/postgres_server_testing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr absl::Duration kStartWait = absl::Seconds(60);
constexpr absl::Duration kPollInterval = absl::Milliseconds(20);

// Debian keeps the server's programs out of PATH, by version.
base::StatusOr<std::string> FindServerPrograms() {
  std::string newest;
  std::error_code error;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", error)) {
    const std::string programs = version.path().string() + "/bin";
    if (std::filesystem::exists(programs + "/initdb", error) && programs > newest) newest = programs;
  }
  if (newest.empty()) {
    return base::Error(StatusCode::kNotFound,
                       "no PostgreSQL server to test with: apt-get install -y postgresql (tools/install-deps does)");
  }
  return newest;
}

// initdb and postgres refuse to run as root.
std::vector<std::string> AsServerUser(std::vector<std::string> command) {
  if (geteuid() == 0) {
    command.insert(command.begin(), {"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"});
  }
  return command;
}

base::StatusOr<std::string> RunOk(std::vector<std::string> command) {
  ASHLAR_ASSIGN_OR_RETURN(const auto result,
                          os::RunSubprocess({.command = command, .directory = "/", .deadline = absl::Seconds(120)}));
  if (result.exit_code != 0) {
    return base::Error(StatusCode::kInternal, "{} ended with {}: {}{}", command.front(), result.exit_code,
                       result.output, result.error);
  }
  return std::string(base::Trim(result.output));
}

}  // namespace

base::StatusOr<std::unique_ptr<PostgresServer>> PostgresServer::Start() {
  ASHLAR_ASSIGN_OR_RETURN(std::string programs, FindServerPrograms());
  ASHLAR_ASSIGN_OR_RETURN(os::TemporaryDirectory folder, os::TemporaryDirectory::Create());
  std::unique_ptr<PostgresServer> server(new PostgresServer(std::move(folder), std::move(programs)));
  ASHLAR_RETURN_IF_ERROR(server->Initialise());
  ASHLAR_RETURN_IF_ERROR(server->Launch());
  return server;
}

PostgresServer::~PostgresServer() {
  if (server_) server_->Terminate(absl::Seconds(10));
}

base::Status PostgresServer::Initialise() {
  // The server's user must own its data; the folder around it needs to be passed only.
  if (::chmod(folder_.path().c_str(), 0777) != 0) return base::ErrnoStatus(errno, "opening the server's folder");
  return RunOk(AsServerUser({programs_ + "/initdb", "--pgdata=" + folder_.path() + "/data", "--username=postgres",
                             "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"}))
      .status();
}

base::Status PostgresServer::Launch() {
  os::SubprocessOptions options;
  options.command = AsServerUser({programs_ + "/postgres", "-D", folder_.path() + "/data", "-k", folder_.path(), "-c",
                                  "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "max_connections=50", "-c",
                                  "recovery_init_sync_method=syncfs"});
  options.directory = "/";
  ASHLAR_ASSIGN_OR_RETURN(server_, os::ChildProcess::Start(options, folder_.path() + "/log"));
  const absl::Duration start = base::SystemClock().Monotonic();
  base::Status status;
  do {
    status = RunSql(Url("postgres"), "SELECT 1");
    if (status.ok()) return status;
    if (server_->Poll()) break;
    RunOk({"sleep", fmt::format("{}", absl::ToDoubleSeconds(kPollInterval))}).IgnoreError();
  } while (base::SystemClock().Monotonic() - start < kStartWait);
  return base::Annotate(status, "the test's PostgreSQL server does not start");
}

std::string PostgresServer::Url(const std::string& database) const {
  return fmt::format("postgresql:///{}?host={}&user=postgres", database, folder_.path());
}

base::StatusOr<std::string> PostgresServer::CreateDatabase() {
  const std::string name = fmt::format("ledger{}", ++databases_);
  ASHLAR_RETURN_IF_ERROR(RunSql(Url("postgres"), "CREATE DATABASE " + name));
  return Url(name);
}

base::Status PostgresServer::RunSql(const std::string& url, const std::string& sql) {
  return QuerySql(url, sql).status();
}

base::StatusOr<std::string> PostgresServer::QuerySql(const std::string& url, const std::string& sql) {
  return RunOk({"psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--command",
                sql, url});
}

base::Status PostgresServer::CrashAndRestart() {
  server_->Signal(SIGQUIT);  // "immediate": no checkpoint, recovery at the next start
  server_->Terminate(absl::Seconds(10));
  return Launch();
}

base::StatusOr<PostgresServer*> SharedPostgresServer() {
  static const base::StatusOr<std::unique_ptr<PostgresServer>> server = PostgresServer::Start();
  if (!server.ok()) return server.status();
  return server->get();
}

}  // namespace ashlar::ledger
