#include "node/nhc/match.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_limits.h"

namespace ashlar::node {
namespace {

using base::StatusCode;

struct MatchCase {
  std::string expression;
  std::string text;
  bool matches;
};

// What bash 5.2 says of `[[ text == expression ]]`, of `[[ text =~ expression ]]`, and NHC's mcheck_range of ranges.
TEST(NhcMatch, Globs) {
  const std::vector<MatchCase> cases = {
      {"*", "n1", true},         {"*", "", true},           {"", "", true},           {"", "a", false},
      {"n1", "n1", true},        {"n1", "n10", false},      {"n*", "n10", true},      {"*1*0", "n10", true},
      {"n?", "n1", true},        {"n?", "n", false},        {"n[12]", "n2", true},    {"n[12]", "n3", false},
      {"n[!12]", "n3", true},    {"n[^12]", "n1", false},   {"n[1-3]x", "n2x", true}, {"n[]a]", "n]", true},
      {"n[a-]", "n-", true},     {"n[1", "n[1", true},      {"n\\*", "n*", true},     {"n\\*", "n1", false},
      {"*a*a*b", "aaaab", true}, {"*a*a*b", "aaaa", false}, {"!n*", "n1", false},     {"!n*", "m1", true},
      {"/", "/", true},          {"[\\]]", "]", true},
  };
  for (const auto& row : cases) {
    const auto match = NhcMatch::Parse(row.expression);
    ASSERT_TRUE(match.ok()) << row.expression << match.status();
    EXPECT_EQ(match->Matches(row.text), row.matches) << row.expression << " " << row.text;
  }
}

TEST(NhcMatch, RegularExpressions) {
  const std::vector<MatchCase> cases = {
      {"/^n[0-9]+$/", "n12", true},
      {"/^n[0-9]+$/", "an12", false},
      {"/1/", "n12", true},
      {"!/1/", "n12", false},
      {"//", "n12", true},
      {"/(^|,)rw($|,)/", "ro,rw,x", true},
      {"/(^|,)rw($|,)/", "ro,rwx", false},
      {"/^(a|b){2}$/", "ab", true},
      {"/^root:x:0:0:/", "root:x:0:0:r", true},
      {"/\\bnode\\b/", "a node b", true},
  };
  for (const auto& row : cases) {
    const auto match = NhcMatch::Parse(row.expression);
    ASSERT_TRUE(match.ok()) << row.expression << match.status();
    EXPECT_EQ(match->Matches(row.text), row.matches) << row.expression << " " << row.text;
  }
}

TEST(NhcMatch, Ranges) {
  const std::vector<MatchCase> cases = {
      {"{n1}", "n1", true},         {"{n1,m2}", "m2", true},
      {"{n1,m2}", "m20", false},    {"{n[1-9]}", "n5", true},
      {"{n[1-9]}", "n10", false},   {"{n[01-20]}", "n05", true},
      {"{n[01-20]}", "n5", false},                                // the number of digits counts
      {"{n[1-20]}", "n5", false},                                 // and is that of the longer end
      {"{n[1-20]}", "n05", true},   {"{n[20-01]}", "n07", true},  // turned round
      {"{n[001-2]}", "n002", true}, {"{n[1-4].ib}", "n3.ib", true},
      {"{n[1-4].ib}", "n3", false}, {"{gpu-n[1-4],login1}", "login1", true},
      {"!{n[1-4]}", "n3", false},   {"!{n[1-4]}", "n7", true},
      {"{n[1-4]}", "nx", false},    {"{n[1-4]}", "n", false},
  };
  for (const auto& row : cases) {
    const auto match = NhcMatch::Parse(row.expression);
    ASSERT_TRUE(match.ok()) << row.expression << match.status();
    EXPECT_EQ(match->Matches(row.text), row.matches) << row.expression << " " << row.text;
  }
}

struct BadCase {
  std::string expression;
  StatusCode code;
  std::string message;
};

TEST(NhcMatch, WhatIsBrokenOrNotReadIsRefused) {
  const std::vector<BadCase> cases = {
      {"{n[1,3]}", StatusCode::kInvalidArgument, "commas inside the brackets"},
      {"{}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n1,,n2}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n1, n2}", StatusCode::kInvalidArgument, "neither a name"},
      {"{login}", StatusCode::kInvalidArgument, "neither a name"},
      {"{[1-3]}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n[1-x]}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n[1-2][3-4]}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n[1-2}", StatusCode::kInvalidArgument, "neither a name"},
      {"{n_[1-2]_x}", StatusCode::kInvalidArgument, "neither a name"},
      {"/(/", StatusCode::kInvalidArgument, "no regular expression"},
      {"/[/", StatusCode::kInvalidArgument, "no regular expression"},
      {"/(a)\\1/", StatusCode::kUnimplemented, "back reference"},
      {std::string("/a\0b/", 5), StatusCode::kInvalidArgument, "zero byte"},
      {"+(a|b)", StatusCode::kUnimplemented, "extended glob"},
      {"n!(1)", StatusCode::kUnimplemented, "extended glob"},
      {"n[[:digit:]]", StatusCode::kUnimplemented, "class of characters"},
      {"%genders%", StatusCode::kUnimplemented, "another program"},
      {"@group@", StatusCode::kUnimplemented, "another program"},
  };
  for (const auto& row : cases) {
    const auto match = NhcMatch::Parse(row.expression);
    EXPECT_EQ(match.status().code(), row.code) << row.expression << match.status();
    EXPECT_NE(base::Message(match.status()).find(row.message), std::string::npos) << match.status();
  }
}

TEST(NhcMatch, SizesAtAndOverTheLimit) {
  EXPECT_TRUE(NhcMatch::Parse(std::string(kMaxNhcExpressionBytes, 'n')).ok());
  EXPECT_EQ(NhcMatch::Parse(std::string(kMaxNhcExpressionBytes + 1, 'n')).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_TRUE(NhcMatch::Parse("/(a{32}){1,32}/").ok());  // 32 * 32 = 1024
  EXPECT_EQ(NhcMatch::Parse("/(a{32}){1,33}/").status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(NhcMatch::Parse("/a{18446744073709551615}{2}/").status().code(), StatusCode::kResourceExhausted);
  const std::string digits(kMaxNhcNodeDigits, '1');
  EXPECT_TRUE(NhcMatch::Parse("{n[" + digits + "-" + digits + "]}").ok());
  EXPECT_FALSE(NhcMatch::Parse("{n[" + digits + "1-" + digits + "1]}").ok());
}

TEST(NhcMatch, InOne) {
  EXPECT_TRUE(*MatchesNhc("n*", "n1"));
  EXPECT_FALSE(MatchesNhc("/(/", "n1").ok());
}

}  // namespace
}  // namespace ashlar::node
