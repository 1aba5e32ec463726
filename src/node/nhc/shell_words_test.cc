#include "node/nhc/shell_words.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

struct WordsCase {
  std::string text;
  std::vector<std::string> words;
};

// What `eval $TEXT` of bash 5.2 with `set -f` hands to a function.
TEST(ShellWords, WordsAsBashSplitsThem) {
  const NhcVariables variables = {{"A", "one"}, {"TWO", "x  y"}, {"EMPTY", ""}, {"L_2", "/data"}};
  const std::vector<WordsCase> cases = {
      {"check_hw_eth eth0", {"check_hw_eth", "eth0"}},
      {"  a \t b  ", {"a", "b"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a 'b   c'", {"a", "b c"}},  // eval joins with single blanks
      {"a '' \"\"", {"a", "", ""}},
      {"a b'c'\"d\"e", {"a", "bcde"}},
      {"a \\' b\\ c \\\\", {"a", "'", "b c", "\\"}},
      {"a \"b\\\"c\\$A\\\\d\\e\"", {"a", "b\"c$A\\d\\e"}},
      {"a '$A' \"$A\" $A ${A}s", {"a", "$A", "one", "one", "ones"}},
      {"a $TWO \"$TWO\"", {"a", "x", "y", "x  y"}},
      {"a $EMPTY \"$EMPTY\" b", {"a", "", "b"}},
      {"a -o '/(^|,)rw($|,)/' \"/^root$/\"", {"a", "-o", "/(^|,)rw($|,)/", "/^root$/"}},
      {"a $ b$", {"a", "$", "b$"}},
      {"a b # c", {"a", "b"}},
      {"a b#c '#d'", {"a", "b#c", "#d"}},
      {"a '*' \"?\" '{1,2}' '~'", {"a", "*", "?", "{1,2}", "~"}},
      {"a x=y -f${L_2}/b", {"a", "x=y", "-f/data/b"}},
      {"a b~ !", {"a", "b~", "!"}},
  };
  for (const auto& row : cases) {
    const auto line = ReadShellLine(row.text, variables);
    ASSERT_TRUE(line.ok()) << row.text << line.status();
    EXPECT_EQ(line->words, row.words) << row.text;
    EXPECT_TRUE(line->assignments.empty());
  }
}

using Assignments = std::vector<std::pair<std::string, std::string>>;

struct AssignmentCase {
  std::string text;
  Assignments assignments;
};

TEST(ShellWords, Assignments) {
  const NhcVariables variables = {{"A", "x y"}};
  const std::vector<AssignmentCase> cases = {
      {"B=1", {{"B", "1"}}},
      {"export B=1 C='2 3'", {{"B", "1"}, {"C", "2 3"}}},
      {"B=$A/$A", {{"B", "x y/x y"}}},
      {"A=$A.5", {{"A", "x y.5"}}},
      {"B=\"$A\"z=1", {{"B", "x yz=1"}}},
      {"B=", {{"B", ""}}},
      {"export B", {}},
  };
  for (const auto& row : cases) {
    const auto line = ReadShellLine(row.text, variables);
    ASSERT_TRUE(line.ok()) << row.text << line.status();
    EXPECT_EQ(line->assignments, row.assignments) << row.text;
    EXPECT_TRUE(line->words.empty()) << row.text;
  }
}

struct RefusedLine {
  std::string text;
  StatusCode code;
  std::string message;
};

TEST(ShellWords, WhatOnlyAShellCanDoIsNamed) {
  const std::vector<RefusedLine> cases = {
      {"", StatusCode::kInvalidArgument, "no check"},
      {"# only a note", StatusCode::kInvalidArgument, "no check"},
      {"a | b", StatusCode::kUnimplemented, "a pipe"},
      {"a || b", StatusCode::kUnimplemented, "|| list"},
      {"a && b", StatusCode::kUnimplemented, "&& list"},
      {"a & b", StatusCode::kUnimplemented, "background"},
      {"a; b", StatusCode::kUnimplemented, "second command"},
      {"a > /tmp/x", StatusCode::kUnimplemented, "redirection (>)"},
      {"a < /tmp/x", StatusCode::kUnimplemented, "redirection (<)"},
      {"(a)", StatusCode::kUnimplemented, "subshell"},
      {"a `b`", StatusCode::kUnimplemented, "command substitution (``)"},
      {"a \"`b`\"", StatusCode::kUnimplemented, "command substitution (``)"},
      {"a $(b)", StatusCode::kUnimplemented, "command substitution ($())"},
      {"a \"$(b)\"", StatusCode::kUnimplemented, "command substitution ($())"},
      {"a $((2*HW_CORES))", StatusCode::kUnimplemented, "arithmetic"},
      {"a \"$((1))\"", StatusCode::kUnimplemented, "arithmetic"},
      {"a $[1]", StatusCode::kUnimplemented, "arithmetic"},
      {"a $'b'", StatusCode::kUnimplemented, "quote with escapes"},
      {"a $\"b\"", StatusCode::kUnimplemented, "translated quote"},
      {"a ${B:-c}", StatusCode::kUnimplemented, "with an operator"},
      {"a \"${#B}\"", StatusCode::kUnimplemented, "parameter of the shell"},
      {"a $1", StatusCode::kUnimplemented, "parameter of the shell"},
      {"a \"$@\"", StatusCode::kUnimplemented, "parameter of the shell"},
      {"a *", StatusCode::kUnimplemented, "glob outside of quotes (*)"},
      {"a b?", StatusCode::kUnimplemented, "glob outside of quotes (?)"},
      {"a [b]", StatusCode::kUnimplemented, "glob outside of quotes ([])"},
      {"[[ -e /x ]]", StatusCode::kUnimplemented, "glob outside of quotes ([])"},
      {"a {b,c}", StatusCode::kUnimplemented, "brace expansion"},
      {"a ~/b", StatusCode::kUnimplemented, "home folder"},
      {"A=~/b", StatusCode::kUnimplemented, "home folder"},
      {"A=b:~", StatusCode::kUnimplemented, "home folder"},
      {"! a", StatusCode::kUnimplemented, "a negation"},
      {"B=1 a", StatusCode::kUnimplemented, "for one command only"},
      {"export -n B", StatusCode::kUnimplemented, "(-n)"},
      {"export B=1 C=$B", StatusCode::kUnimplemented, "which the same line sets"},
      {"a 'b", StatusCode::kInvalidArgument, "' has no end"},
      {"a \"b", StatusCode::kInvalidArgument, "\" has no end"},
      {"a \\", StatusCode::kInvalidArgument, "ends in a backslash"},
      {"a $AZ_NHC_ROOT/x", StatusCode::kNotFound, "$AZ_NHC_ROOT is not set"},
      {"a ${B}", StatusCode::kNotFound, "$B is not set"},
      {"a \"${B\"", StatusCode::kUnimplemented, "with an operator"},
  };
  for (const auto& row : cases) {
    const auto line = ReadShellLine(row.text, {});
    EXPECT_EQ(line.status().code(), row.code) << row.text << line.status();
    EXPECT_NE(base::Message(line.status()).find(row.message), std::string::npos) << row.text << line.status();
  }
}

TEST(ShellWords, SizesAtAndOverTheLimit) {
  const NhcVariables variables = {{"HALF", std::string(kMaxNhcLineBytes / 2, 'x')}};
  EXPECT_TRUE(ReadShellLine("$HALF$HALF", variables).ok());
  EXPECT_EQ(ReadShellLine("$HALF$HALF\"$HALF\"", variables).status().code(), StatusCode::kResourceExhausted);
  std::string words = "a";
  for (size_t word = 1; word < kMaxNhcWords; ++word) words += " b";
  EXPECT_TRUE(ReadShellLine(words, {}).ok());
  EXPECT_EQ(ReadShellLine(words + " b", {}).status().code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
