#include "node/kernel/text_scanner.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(LineScannerTest, ReadsLinesWithAndWithoutALastNewline) {
  for (const std::string_view text : {"one\n\ntwo\n", "one\n\ntwo"}) {
    LineScanner lines(text);
    std::vector<std::string> read;
    std::string_view line;
    while (lines.Next(line)) read.emplace_back(line);
    EXPECT_EQ(read, (std::vector<std::string>{"one", "", "two"})) << text;
    EXPECT_EQ(lines.number(), 3U);
  }
}

TEST(LineScannerTest, HasNoLinesInAnEmptyText) {
  LineScanner lines("");
  std::string_view line;
  EXPECT_FALSE(lines.Next(line));
}

TEST(WordScannerTest, ReadsWordsAndNumbers) {
  WordScanner words("  cpu0\t12  x ");
  EXPECT_EQ(words.Next(), "cpu0");
  uint64_t number = 0;
  EXPECT_TRUE(words.NextUint64(number));
  EXPECT_EQ(number, 12U);
  EXPECT_FALSE(words.AtEnd());
  EXPECT_FALSE(words.NextUint64(number)) << "x is no number";
  EXPECT_TRUE(words.AtEnd());
  EXPECT_EQ(words.Next(), "");
}

TEST(WordScannerTest, RefusesNumbersOutOfRange) {
  // 2^64 is one too many.
  WordScanner words("18446744073709551615 18446744073709551616 -1 0x10");
  uint64_t number = 0;
  EXPECT_TRUE(words.NextUint64(number));
  EXPECT_FALSE(words.NextUint64(number));
  EXPECT_FALSE(words.NextUint64(number));
  EXPECT_FALSE(words.NextUint64(number));
}

TEST(ExcerptTest, IsShortAndPrintable) {
  EXPECT_EQ(Excerpt(std::string_view("a\x1b[31m\n", 7)), "a?[31m?");
  EXPECT_EQ(Excerpt(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(Excerpt(std::string(60, 'x')), std::string(60, 'x'));
}

TEST(MalformedLineTest, NamesPathLineAndText) {
  const base::Status status = MalformedLine("/proc/stat", 3, "cpu x", "no times");
  EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(base::Message(status), "/proc/stat line 3: no times in `cpu x`");
}

}  // namespace
}  // namespace ashlar::node
