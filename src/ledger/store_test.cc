#include "ledger/store.h"

#include <gtest/gtest.h>

namespace ashlar::ledger {
namespace {

TEST(StoreUrlTest, PlacesAreFound) {
  struct Row {
    const char* url;
    bool is_postgres;
    const char* place;
  };
  const Row rows[] = {{"ledger.db", false, "ledger.db"},
                      {"/data/ledger.db", false, "/data/ledger.db"},
                      {"sqlite:/data/ledger.db", false, "/data/ledger.db"},
                      {"sqlite:ledger.db", false, "ledger.db"},
                      {"sqlite:///data/ledger.db", false, "/data/ledger.db"},
                      {"postgresql://u@h:5432/d", true, "postgresql://u@h:5432/d"},
                      {"postgres://h/d", true, "postgres://h/d"}};
  for (const Row& row : rows) {
    const auto address = ParseStoreUrl(row.url);
    ASSERT_TRUE(address.ok()) << row.url << ": " << address.status();
    EXPECT_EQ(address->is_postgres, row.is_postgres) << row.url;
    EXPECT_EQ(address->place, row.place) << row.url;
  }
}

TEST(StoreUrlTest, OtherUrlsAreRefused) {
  for (const char* url : {"", "sqlite:", "sqlite://", ":memory:", "sqlite::memory:", "mysql://h/d", "http://h"}) {
    EXPECT_EQ(ParseStoreUrl(url).status().code(), base::StatusCode::kInvalidArgument) << url;
    EXPECT_EQ(OpenStore(url, {}).status().code(), base::StatusCode::kInvalidArgument) << url;
  }
}

}  // namespace
}  // namespace ashlar::ledger
