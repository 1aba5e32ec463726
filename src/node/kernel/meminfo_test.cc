#include "node/kernel/meminfo.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

base::Status Parse(std::string_view text) {
  std::vector<MeminfoEntry> entries;
  return ParseMeminfo(text, entries);
}

TEST(ParseMeminfoTest, RefusesWhatIsMalformedOrImpossible) {
  struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view message;
  };
  const Row rows[] = {
      {"empty", "", "no MemTotal"},
      {"zero", "MemTotal: 0 kB\n", "no MemTotal"},
      {"no colon", "MemTotal 12 kB\n", "not `name: number"},
      {"no name", ": 12 kB\n", "not `name: number"},
      {"no number", "MemTotal: many kB\n", "not `name: number"},
      {"negative", "MemTotal: -5 kB\n", "not `name: number"},
      {"another unit", "MemTotal: 12 MB\n", "not `name: number"},
      {"more words", "MemTotal: 12 kB kB\n", "not `name: number"},
      {"more than 64 bits of bytes", "MemTotal: 18014398509481984 kB\n", "not `name: number"},  // 2^54 * 2^10
      {"twice", "MemTotal: 12 kB\nMemTotal: 12 kB\n", "a repeated name"},
      {"more free than there is", "MemTotal: 12 kB\nMemFree: 13 kB\n", "more than MemTotal"},
      {"more available than there is", "MemTotal: 12 kB\nMemAvailable: 13 kB\n", "more than MemTotal"},
      {"cut short", "MemTotal: 12 kB\nMemFr", "not `name: number"},
  };
  for (const Row& row : rows) {
    const base::Status status = Parse(row.text);
    EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_NE(base::Message(status).find(row.message), std::string_view::npos) << row.name << ": " << status;
  }
}

TEST(ParseMeminfoTest, ReadsBytesAndCounts) {
  std::vector<MeminfoEntry> entries;
  const std::string_view text =
      "MemTotal:        8388608 kB\nMemFree:         1048576 kB\nActive(anon):        512 kB\nHugePages_Total:       "
      "3\n";
  ASSERT_TRUE(ParseMeminfo(text, entries).ok());
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(FindMeminfo(entries, "MemTotal"), 8589934592U);  // 8 GiB
  EXPECT_EQ(FindMeminfo(entries, "Active(anon)"), 524288U);
  EXPECT_EQ(FindMeminfo(entries, "HugePages_Total"), 3U);
  EXPECT_FALSE(entries[3].is_bytes);
  EXPECT_TRUE(entries[0].is_bytes);
  EXPECT_EQ(FindMeminfo(entries, "SwapTotal"), std::nullopt);
}

TEST(ParseMeminfoTest, StartsAnewEachTime) {
  std::vector<MeminfoEntry> entries;
  ASSERT_TRUE(ParseMeminfo("MemTotal: 1 kB\nBuffers: 1 kB\n", entries).ok());
  ASSERT_TRUE(ParseMeminfo("MemTotal: 1 kB\n", entries).ok());
  EXPECT_EQ(entries.size(), 1U);
}

TEST(ParseMeminfoTest, HoldsItsLimit) {
  std::string text = "MemTotal: 1 kB\n";
  for (size_t line = 1; line < kMaxMeminfoEntries; ++line) text += fmt::format("Line{}: 1 kB\n", line);
  EXPECT_TRUE(Parse(text).ok());
  text += "OneMore: 1 kB\n";
  EXPECT_EQ(Parse(text).code(), base::StatusCode::kResourceExhausted);
}

TEST(ParseNodeMemTotalTest, FindsTheAmount) {
  const auto bytes = ParseNodeMemTotal("Node 1 MemFree:  5 kB\nNode 1 MemTotal:       1024 kB\n");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(*bytes, 1048576U);
}

TEST(ParseNodeMemTotalTest, RefusesWhatIsMalformed) {
  for (const std::string_view text : {"", "Node 1 MemFree: 5 kB\n", "Node 1 MemTotal: 5\n", "Node 1 MemTotal: x kB\n",
                                      "Node x MemTotal: 5 kB\n", "MemTotal: 5 kB\n"}) {
    EXPECT_EQ(ParseNodeMemTotal(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace ashlar::node
