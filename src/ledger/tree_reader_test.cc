#include "ledger/tree_reader.h"

#include <gtest/gtest.h>

#include "ledger/ledger_place_testing.h"

namespace ashlar::ledger {
namespace {

// RFC 6962 section 2.1, word for word.
base::Sha256Digest RootByDefinition(std::span<const base::Sha256Digest> leaves) {
  if (leaves.empty()) return base::Sha256("");
  if (leaves.size() == 1) return leaves.front();
  size_t split = 1;
  while (split * 2 < leaves.size()) split *= 2;
  return NodeHash(RootByDefinition(leaves.first(split)), RootByDefinition(leaves.subspan(split)));
}

TEST(TreeReaderTest, RangesHaveTheHashesOfTheDefinition) {
  const auto place = LedgerPlace::Make(PlaceKind::kSqlite);
  ASSERT_TRUE(place.ok()) << place.status();
  constexpr uint64_t kEntries = 1100;
  ASSERT_TRUE(Fill(**place->Open(), kEntries).ok());
  std::vector<base::Sha256Digest> leaves;
  for (uint64_t i = 0; i < kEntries; ++i) leaves.push_back(LeafHash(*place->EntryBytes(i)));
  const auto store = OpenStore(place->options().url, {.create = false, .read_only = true});
  ASSERT_TRUE(store.ok()) << store.status();
  struct Row {
    uint64_t begin;
    uint64_t end;
  };
  for (const Row& row : {Row{0, 0}, Row{0, 1}, Row{0, 255}, Row{0, 256}, Row{0, 257}, Row{0, 1024}, Row{0, 1100},
                         Row{1024, 1100}, Row{512, 1024}, Row{768, 1024}, Row{1023, 1024}, Row{1088, 1096}}) {
    const auto hash = HashStoredRange(**store, row.begin, row.end);
    ASSERT_TRUE(hash.ok()) << hash.status();
    EXPECT_EQ(*hash, RootByDefinition(std::span(leaves).subspan(row.begin, row.end - row.begin)))
        << row.begin << " to " << row.end;
  }
  EXPECT_EQ(HashStoredRange(**store, 0, 2048).status().code(), base::StatusCode::kDataLoss) << "not there";
  ASSERT_TRUE(place->RunSql("DELETE FROM nodes WHERE position = 2").ok());
  EXPECT_EQ(HashStoredRange(**store, 0, 1024).status().code(), base::StatusCode::kDataLoss);
  EXPECT_TRUE(HashStoredRange(**store, 0, 512).ok());
}

}  // namespace
}  // namespace ashlar::ledger
