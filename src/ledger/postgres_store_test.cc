// What only PostgreSQL can get wrong; what both stores must do is in ledger_test.cc and verify_test.cc.
#include <gtest/gtest.h>

#include "ledger/ledger_place_testing.h"
#include "ledger/postgres_server_testing.h"
#include "ledger/store.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

class PostgresStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    auto place = LedgerPlace::Make(PlaceKind::kPostgres);
    ASSERT_TRUE(place.ok()) << place.status();
    place_ = std::make_unique<LedgerPlace>(*std::move(place));
  }
  std::unique_ptr<LedgerPlace> place_;
};

TEST_F(PostgresStoreTest, OtherEncodingsAreRefused) {
  const std::string url = place_->options().url;
  ASSERT_TRUE(PostgresServer::RunSql(url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0").ok());
  std::string latin = url;
  const size_t name = latin.find("/ledger");
  latin.replace(name, latin.find('?') - name, "/latin");
  const auto ledger = Ledger::Open({.url = latin, .key_path = place_->options().key_path}, base::SystemClock());
  EXPECT_EQ(ledger.status().code(), StatusCode::kFailedPrecondition) << ledger.status();
}

TEST_F(PostgresStoreTest, NewerSchemaIsRefused) {
  ASSERT_TRUE(place_->Open().ok());
  ASSERT_TRUE(place_->RunSql("UPDATE schema_version SET version = 2").ok());
  EXPECT_EQ(place_->Open().status().code(), StatusCode::kFailedPrecondition);
}

TEST_F(PostgresStoreTest, RoleWithoutRightsIsNamed) {
  ASSERT_TRUE(place_->Open().ok());
  const std::string url = place_->options().url;
  ASSERT_TRUE(PostgresServer::RunSql(url, "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN").ok());
  Options options = place_->options();
  options.url.replace(options.url.find("user=postgres"), 13, "user=reader");
  EXPECT_EQ(Ledger::Open(options, base::SystemClock()).status().code(), StatusCode::kPermissionDenied);
}

TEST_F(PostgresStoreTest, ServerThatDoesNotSyncIsRefused) {
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  const auto url = (*server)->CreateDatabase();
  ASSERT_TRUE(url.ok()) << url.status();
  ASSERT_TRUE(PostgresServer::RunSql(*url, "ALTER SYSTEM SET fsync = off").ok());
  ASSERT_TRUE((*server)->CrashAndRestart().ok());
  const Options options{.url = *url, .key_path = place_->options().key_path};
  EXPECT_EQ(Ledger::Open(options, base::SystemClock()).status().code(), StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace ashlar::ledger
