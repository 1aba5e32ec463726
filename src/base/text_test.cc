#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::base {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SplitTest, KeepsEmptyPieces) {
  EXPECT_THAT(Split("", ','), ElementsAre(""));
  EXPECT_THAT(Split(",", ','), ElementsAre("", ""));
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(Split("a,b,", ','), ElementsAre("a", "b", ""));
}

TEST(SplitTest, LinesEndWithOrWithoutCarriageReturn) {
  EXPECT_THAT(SplitLines(""), IsEmpty());
  EXPECT_THAT(SplitLines("\n"), ElementsAre(""));
  EXPECT_THAT(SplitLines("a\r\nb\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(SplitLines("a\rb\n"), ElementsAre("a\rb"));
}

TEST(SplitTest, WordsAreNeverEmpty) {
  EXPECT_THAT(SplitWords(" \t "), IsEmpty());
  EXPECT_THAT(SplitWords("  a \t b"), ElementsAre("a", "b"));
  EXPECT_THAT(SplitWords("a b "), ElementsAre("a", "b"));
}

TEST(JoinTest, PutsTheSeparatorBetween) {
  EXPECT_EQ(Join({}, ", "), "");
  EXPECT_EQ(Join({"a"}, ", "), "a");
  EXPECT_EQ(Join({"", "b", ""}, ","), ",b,");
}

TEST(TrimTest, TakesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(Trim(""), "");
  EXPECT_EQ(Trim(" \t\r\n"), "");
  EXPECT_EQ(Trim("\n a b\t"), "a b");
  EXPECT_EQ(Lowercase("AbC-Ä9"), "abc-Ä9");
}

TEST(ParseNumberTest, TakesTheWholeTextOrNothing) {
  struct Row {
    const char* text;
    std::optional<int64_t> signed_number;
    std::optional<uint64_t> unsigned_number;
  };
  const Row rows[] = {
      {"", {}, {}},
      {" 1", {}, {}},
      {"1 ", {}, {}},
      {"+1", {}, {}},
      {"1.0", {}, {}},
      {"0x1", {}, {}},
      {"1e3", {}, {}},
      {"-", {}, {}},
      {"0", 0, 0},
      {"-1", -1, {}},
      {"007", 7, 7},
      {"9223372036854775807", INT64_MAX, 9223372036854775807U},
      {"9223372036854775808", {}, 9223372036854775808U},  // 2^63
      {"-9223372036854775808", INT64_MIN, {}},
      {"-9223372036854775809", {}, {}},
      {"18446744073709551615", {}, UINT64_MAX},
      {"18446744073709551616", {}, {}},  // 2^64
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ParseInt64(row.text), row.signed_number) << row.text;
    EXPECT_EQ(ParseUint64(row.text), row.unsigned_number) << row.text;
  }
  EXPECT_EQ(ParseInt64(std::string_view("1\0", 2)), std::nullopt);
}

TEST(ParseNumberTest, ReadsFiniteDoubles) {
  for (const char* text : {"", "nan", "inf", "-inf", "1e400", "1,5", "1.5 ", " 1", "+1", "0x1p3", "1e"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseDouble("1.5"), 1.5);
  EXPECT_EQ(ParseDouble("-2e-3"), -0.002);
  EXPECT_EQ(ParseDouble(".5"), 0.5);
}

TEST(ParseNumberTest, ReadsHexadecimal) {
  for (const char* text : {"", "0x", "0x0x1", "-1", "g", "1 ", "0x10000000000000000"}) {
    EXPECT_EQ(ParseHex(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseHex("ff"), 255U);
  EXPECT_EQ(ParseHex("0XfF"), 255U);
  EXPECT_EQ(ParseHex("0xffffffffffffffff"), UINT64_MAX);
}

TEST(GlobMatchTest, KnowsStarAndQuestionMark) {
  struct Row {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const Row rows[] = {
      {"", "", true},           {"", "a", false},           {"*", "", true},
      {"?", "", false},         {"?", "ab", false},         {"a*", "a", true},
      {"a*b", "ab", true},      {"a*b", "axxb", true},      {"a*b", "axxbc", false},
      {"*.cc", "a.cc", true},   {"*.cc", ".cc.cc", true},   {"*a*b*", "xxaxbx", true},
      {"*a*b*", "xbxa", false}, {"mlx5_?", "mlx5_0", true}, {"mlx5_?", "mlx5_10", false},
      {"**", "anything", true}, {"[a]", "a", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(GlobMatch(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
  // A pattern that makes naive matchers take exponential time.
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(GlobMatch(pattern + "b", std::string(2000, 'a')));
}

// The borders of RFC 3629, section 4 (the ABNF of UTF-8).
TEST(IsUtf8Test, HasTheBordersOfTheStandard) {
  for (const char* good : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
  for (const char* bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xF0\x9F\x98"}) {
    EXPECT_FALSE(IsUtf8(bad)) << bad;
  }
  EXPECT_TRUE(IsUtf8(std::string_view("a\0b", 3)));
}

TEST(Utf8TextTest, ReplacesOnlyInTextThatIsNot) {
  EXPECT_EQ(Utf8Text("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(Utf8Text("a\xFF"
                     "b\xC3("),
            "a?b?(");
  EXPECT_EQ(Utf8Text(""), "");
}

TEST(FormatTableTest, AlignsByCharactersAndLeavesNoBlanksAtTheEnd) {
  EXPECT_EQ(FormatTable({}), "");
  EXPECT_EQ(FormatTable(
                {.rows = {{"name", "value", "note"}, {"é", "7", ""}, {"longer", "1234", "x"}}, .right = {false, true}}),
            "name    value  note\n"
            "é           7\n"
            "longer   1234  x\n");
  EXPECT_EQ(FormatTable({.rows = {{"a", "b"}, {"only one"}, {}}}), "a         b\nonly one\n\n");
}

}  // namespace
}  // namespace ashlar::base
