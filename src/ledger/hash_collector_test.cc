#include "ledger/hash_collector.h"

#include <gtest/gtest.h>

namespace ashlar::ledger {
namespace {

using base::StatusCode;

const std::string kHash(32, 'h');

TEST(HashCollectorTest, CompleteRangeIsTaken) {
  HashCollector collector(8, 5, 7);
  EXPECT_TRUE(collector.Add(5, kHash).ok());
  EXPECT_TRUE(collector.Add(6, kHash).ok());
  const auto hashes = std::move(collector).Take();
  ASSERT_TRUE(hashes.ok()) << hashes.status();
  EXPECT_EQ(hashes->size(), 2U);
  EXPECT_EQ(base::AsBytes(hashes->front()), kHash);
  EXPECT_TRUE(HashCollector(0, 3, 3).Add(4, kHash).code() == StatusCode::kDataLoss);
}

TEST(HashCollectorTest, GapsAndMalformedHashesAreDataLoss) {
  struct Row {
    const char* name;
    uint64_t position;
    std::string hash;
  };
  for (const Row& row : {Row{"skipped", 6, kHash}, Row{"before the range", 4, kHash}, Row{"short", 5, kHash.substr(1)},
                         Row{"long", 5, kHash + "x"}, Row{"empty", 5, ""}}) {
    HashCollector collector(8, 5, 7);
    EXPECT_EQ(collector.Add(row.position, row.hash).code(), StatusCode::kDataLoss) << row.name;
  }
  HashCollector collector(8, 5, 7);
  EXPECT_TRUE(collector.Add(5, kHash).ok());
  const auto hashes = std::move(collector).Take();
  EXPECT_EQ(hashes.status().code(), StatusCode::kDataLoss);
  // Level 8, position 6: entries from 6 * 256.
  EXPECT_NE(base::Message(hashes.status()).find("entries 1536 to 1791"), std::string_view::npos) << hashes.status();
}

}  // namespace
}  // namespace ashlar::ledger
