#include "node/nhc/conf_lines.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

struct LineCase {
  std::string name;
  std::string text;
  std::vector<std::string> lines;
};

// The expectations are what `while read LINE; do echo "[$LINE]"; done` of bash 5.2 printed for the same text.
TEST(ConfLines, AsReadOfBashGivesThem) {
  const std::vector<LineCase> cases = {
      {"nothing", "", {}},
      {"one", "a b\n", {"a b"}},
      {"the last has no end", "a\nb", {"a", "b"}},
      {"empty ones count", "\n\na\n", {"", "", "a"}},
      {"blanks at both ends", " \ta\t b \t\n", {"a\t b"}},
      {"a backslash is taken away", "a\\ b 'c\\d' \\\\ e\n", {"a b 'cd' \\ e"}},
      {"and one of two stays", "'/10\\\\.0/'\n", {"'/10\\.0/'"}},
      {"joined", "n* || check \\\n  more\nnext\n", {"n* || check   more", "next"}},
      {"a blank behind a backslash is meant", "a\\ \n\\ b\n", {"a ", " b"}},
      {"a backslash ends the file", "a\\", {"a"}},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const auto lines = ReadConfLines(row.text);
    ASSERT_TRUE(lines.ok());
    ASSERT_EQ(lines->size(), row.lines.size());
    for (size_t index = 0; index < lines->size(); ++index) {
      EXPECT_EQ((*lines)[index].text, row.lines[index]);
      EXPECT_EQ((*lines)[index].problem, "");
    }
  }
}

TEST(ConfLines, AJoinedLineHasTheNumberOfItsBegin) {
  const auto lines = ReadConfLines("a\nb \\\nc \\\nd\ne\n");
  ASSERT_TRUE(lines.ok());
  ASSERT_EQ(lines->size(), 3U);
  EXPECT_EQ((*lines)[1].number, 2U);
  EXPECT_EQ((*lines)[1].text, "b c d");
  EXPECT_EQ((*lines)[2].number, 5U);
}

TEST(ConfLines, WhatNobodyMeantIsAProblem) {
  const auto lines = ReadConfLines(std::string("* || check_hw_eth eth0\r\n\r\n# note\r\na\0b\n", 38));
  ASSERT_TRUE(lines.ok());
  ASSERT_EQ(lines->size(), 4U);
  EXPECT_NE((*lines)[0].problem.find("carriage return"), std::string::npos);
  EXPECT_EQ((*lines)[0].text, "* || check_hw_eth eth0");
  EXPECT_EQ((*lines)[1].problem, "");
  EXPECT_EQ((*lines)[2].problem, "");
  EXPECT_NE((*lines)[3].problem.find("zero byte"), std::string::npos);
}

TEST(ConfLines, LineLengthAtAndOverTheLimit) {
  const std::string longest(kMaxNhcLineBytes, 'x');
  const auto lines = ReadConfLines(longest + "\n" + longest + "y\n");
  ASSERT_TRUE(lines.ok());
  EXPECT_EQ((*lines)[0].problem, "");
  EXPECT_NE((*lines)[1].problem.find("8192 bytes"), std::string::npos);
  EXPECT_EQ((*lines)[1].text, longest);
}

TEST(ConfLines, LinesAtAndOverTheLimit) {
  const std::string most(kMaxNhcLines, '\n');
  EXPECT_TRUE(ReadConfLines(most).ok());
  EXPECT_EQ(ReadConfLines(most + "x").status().code(), StatusCode::kResourceExhausted);
}

TEST(ConfLines, SplitsAtTheFirstBars) {
  const auto sides = SplitConfLine("/a||b/ || c || d");
  EXPECT_TRUE(sides.is_split);
  EXPECT_EQ(sides.target, "/a");
  EXPECT_EQ(sides.check, "b/ || c || d");
  EXPECT_EQ(SplitConfLine("*||check").target, "*");
  EXPECT_EQ(SplitConfLine("*||check").check, "check");
  EXPECT_EQ(SplitConfLine("||check").target, "");
  EXPECT_EQ(SplitConfLine("* ||").check, "");
  EXPECT_FALSE(SplitConfLine("* | check").is_split);
}

}  // namespace
}  // namespace ashlar::node
