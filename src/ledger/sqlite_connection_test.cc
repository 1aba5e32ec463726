#include "ledger/sqlite_connection.h"

#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

class SqliteConnectionTest : public testing::Test {
 protected:
  os::TemporaryDirectory folder_ = *os::TemporaryDirectory::Create();
  std::string path_ = folder_.path() + "/test.db";
};

TEST_F(SqliteConnectionTest, ValuesGoInAndComeBack) {
  auto connection = SqliteConnection::Open(path_, {});
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE(connection->Execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB NOT NULL)").ok());
  SqliteStatement insert;
  const std::string blob("\0\xFF", 2);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(insert.Prepare(*connection, "INSERT INTO t VALUES (?1, ?2, ?3)").ok());
    insert.BindInt(1, -5 + i);
    insert.BindText(2, "text");
    insert.BindBlob(3, i == 0 ? std::string_view(blob) : "");
    ASSERT_TRUE(insert.Run().ok());
  }
  SqliteStatement select;
  ASSERT_TRUE(select.Prepare(*connection, "SELECT a, b, c FROM t ORDER BY a").ok());
  ASSERT_TRUE(*select.Step());
  EXPECT_EQ(select.Int(0), -5);
  EXPECT_EQ(select.Bytes(1), "text");
  EXPECT_EQ(select.Bytes(2), blob);
  ASSERT_TRUE(*select.Step());
  EXPECT_EQ(select.Bytes(2), "");
  EXPECT_FALSE(*select.Step());
  EXPECT_EQ(*connection->QueryInt("SELECT count(*) FROM t"), 2);
  EXPECT_EQ(*connection->QueryText("SELECT b FROM t"), "text");
  EXPECT_EQ(connection->QueryInt("SELECT a FROM t WHERE a = 9").status().code(), StatusCode::kNotFound);
}

TEST_F(SqliteConnectionTest, UnpreparedStatementMayBeRewound) {
  SqliteStatement statement;
  statement.Rewind();
}

TEST_F(SqliteConnectionTest, BadSqlIsAnError) {
  auto connection = SqliteConnection::Open(path_, {});
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_FALSE(connection->Execute("NONSENSE").ok());
  SqliteStatement statement;
  EXPECT_FALSE(statement.Prepare(*connection, "SELECT x FROM nowhere").ok());
}

TEST_F(SqliteConnectionTest, MissingFilesAreNotMadeUnlessAsked) {
  EXPECT_EQ(SqliteConnection::Open(path_, {.create = false}).status().code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(SqliteConnection::Open(path_, {.read_only = true}).status().code(), StatusCode::kPermissionDenied);
}

// Codes as https://sqlite.org/rescode.html numbers them, plain and extended.
TEST_F(SqliteConnectionTest, CodesBecomeStatuses) {
  const auto connection = SqliteConnection::Open(path_, {});
  ASSERT_TRUE(connection.ok()) << connection.status();
  struct Row {
    int code;
    StatusCode status;
  };
  for (const Row& row : {Row{0, StatusCode::kOk},
                         Row{100, StatusCode::kOk},
                         Row{101, StatusCode::kOk},
                         Row{1, StatusCode::kInternal},
                         Row{3, StatusCode::kPermissionDenied},
                         Row{5, StatusCode::kUnavailable},
                         Row{517, StatusCode::kUnavailable},
                         Row{6, StatusCode::kUnavailable},
                         Row{7, StatusCode::kResourceExhausted},
                         Row{8, StatusCode::kPermissionDenied},
                         Row{1544, StatusCode::kPermissionDenied},
                         Row{10, StatusCode::kInternal},
                         Row{1034, StatusCode::kInternal},
                         Row{11, StatusCode::kDataLoss},
                         Row{779, StatusCode::kDataLoss},
                         Row{13, StatusCode::kResourceExhausted},
                         Row{14, StatusCode::kPermissionDenied},
                         Row{18, StatusCode::kResourceExhausted},
                         Row{1555, StatusCode::kDataLoss},
                         Row{26, StatusCode::kDataLoss}}) {
    const base::Status status = connection->StatusFor(row.code, "testing");
    EXPECT_EQ(status.code(), row.status) << row.code;
    if (!status.ok()) {
      EXPECT_NE(base::Message(status).find(path_), std::string_view::npos) << status;
    }
  }
}

}  // namespace
}  // namespace ashlar::ledger
