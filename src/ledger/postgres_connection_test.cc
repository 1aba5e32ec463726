#include "ledger/postgres_connection.h"

#include <gtest/gtest.h>

#include "ledger/postgres_server_testing.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

class PostgresConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto server = SharedPostgresServer();
    ASSERT_TRUE(server.ok()) << server.status();
    const auto url = (*server)->CreateDatabase();
    ASSERT_TRUE(url.ok()) << url.status();
    url_ = *url;
  }
  std::string url_;
};

TEST_F(PostgresConnectionTest, ValuesGoInAndComeBack) {
  auto connection = PostgresConnection::Open(url_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE(connection->Execute("CREATE TABLE t (a bigint, b text, c bytea)").ok());
  const std::string blob("\0\xFF", 2);
  ASSERT_TRUE(connection
                  ->Query("INSERT INTO t VALUES ($1, $2, $3)",
                          {{.value = "-5"}, {.value = "text"}, {.value = blob, .is_binary = true}}, nullptr)
                  .ok());
  ASSERT_TRUE(connection->CopyIn("COPY t FROM STDIN", "6\tback\\\\slash\t\\\\x00ff\n").ok());
  std::vector<std::string> seen;
  ASSERT_TRUE(connection
                  ->Query("SELECT a, b, c FROM t ORDER BY a", {},
                          [&seen, &blob](const PostgresRow& row) {
                            seen.push_back(fmt::format("{} {}", row.Int(0), row.Bytes(1)));
                            EXPECT_EQ(row.Bytes(2), blob);
                            return base::OkStatus();
                          })
                  .ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"-5 text", "6 back\\slash"}));
}

TEST_F(PostgresConnectionTest, ErrorOfACallbackEndsTheReadingAndLeavesTheSessionClean) {
  auto connection = PostgresConnection::Open(url_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  int rows = 0;
  const auto status = connection->Query("SELECT generate_series(1::bigint, 1000)", {}, [&rows](const PostgresRow&) {
    return ++rows == 3 ? base::Error(StatusCode::kAborted, "enough") : base::OkStatus();
  });
  EXPECT_EQ(status.code(), StatusCode::kAborted);
  EXPECT_EQ(rows, 3);
  EXPECT_EQ(*connection->QueryText("SELECT 'clean'"), "clean");
}

// SQLSTATEs of PostgreSQL 15, appendix A, raised by the server itself.
TEST_F(PostgresConnectionTest, StatesBecomeStatuses) {
  auto connection = PostgresConnection::Open(url_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  struct Row {
    const char* state;
    StatusCode code;
  };
  for (const Row& row : {Row{"55P03", StatusCode::kUnavailable}, Row{"40001", StatusCode::kUnavailable},
                         Row{"57014", StatusCode::kUnavailable}, Row{"53100", StatusCode::kResourceExhausted},
                         Row{"54000", StatusCode::kResourceExhausted}, Row{"42501", StatusCode::kPermissionDenied},
                         Row{"25006", StatusCode::kPermissionDenied}, Row{"23505", StatusCode::kDataLoss},
                         Row{"XX001", StatusCode::kDataLoss}, Row{"XX002", StatusCode::kDataLoss},
                         Row{"22012", StatusCode::kInternal}}) {
    const std::string sql = fmt::format("DO $$ BEGIN RAISE EXCEPTION 'said' USING ERRCODE = '{}'; END $$", row.state);
    EXPECT_EQ(connection->Execute(sql.c_str()).code(), row.code) << row.state;
    EXPECT_EQ(connection->Query(sql, {}, nullptr).code(), row.code) << row.state;
  }
  EXPECT_FALSE(connection->CopyIn("COPY nowhere FROM STDIN", "").ok());
  EXPECT_FALSE(connection->InTransaction());
}

TEST_F(PostgresConnectionTest, BrokenConnectionIsUnavailableOnceAndThenNew) {
  auto connection = PostgresConnection::Open(url_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  const std::string id = *connection->QueryText("SELECT pg_backend_pid()::text");
  ASSERT_TRUE(PostgresServer::RunSql(url_, "SELECT pg_terminate_backend(" + id + ", 10000)").ok());
  EXPECT_EQ(connection->Execute("SELECT 1").code(), StatusCode::kUnavailable);
  EXPECT_FALSE(connection->InTransaction());
  ASSERT_TRUE(connection->EnsureConnected().ok());
  EXPECT_NE(*connection->QueryText("SELECT pg_backend_pid()::text"), id);
  EXPECT_EQ(*connection->QueryText("SELECT current_setting('synchronous_commit')"), "on") << "set again";
}

TEST_F(PostgresConnectionTest, WrongPlacesAreNamed) {
  struct Row {
    const char* name;
    std::string url;
    StatusCode code;
  };
  std::string other_database = url_;
  other_database.replace(other_database.find("/ledger"), 7, "/nothing");
  std::string other_role = url_;
  other_role.replace(other_role.find("user=postgres"), 13, "user=nobody");
  for (const Row& row :
       {Row{"database", other_database, StatusCode::kNotFound}, Row{"role", other_role, StatusCode::kPermissionDenied},
        Row{"socket", "postgresql:///d?host=/nowhere", StatusCode::kUnavailable},
        Row{"malformed", "postgresql://[", StatusCode::kInvalidArgument}}) {
    EXPECT_EQ(PostgresConnection::Open(row.url).status().code(), row.code) << row.name;
  }
}

}  // namespace
}  // namespace ashlar::ledger
