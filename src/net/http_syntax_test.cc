#include "net/http_syntax.h"

#include <gtest/gtest.h>

#include <string>

namespace ashlar::net {
namespace {

// The sets, written out from RFC 9110 section 5.6.2 (tchar) and 5.5 (field-content).
TEST(HttpSyntax, ClassifiesEveryByte) {
  const std::string token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (int c = 0; c < 256; ++c) {
    const std::string text(1, static_cast<char>(c));
    const bool visible = c >= 0x21 && c <= 0x7E;
    EXPECT_EQ(IsToken(text), token.find(text) != std::string::npos) << c;
    EXPECT_EQ(IsFieldValue(text), visible || c == 0x20 || c == 0x09 || c >= 0x80) << c;
    EXPECT_EQ(IsTargetText(text), visible && c != 0x23) << c;
  }
}

TEST(HttpSyntax, RefusesEmptyNamesAndAcceptsEmptyValues) {
  EXPECT_FALSE(IsToken(""));
  EXPECT_FALSE(IsTargetText(""));
  EXPECT_FALSE(IsAuthority(""));
  EXPECT_TRUE(IsFieldValue(""));
}

TEST(HttpSyntax, KnowsHosts) {
  for (const char* host : {"a", "a:80", "127.0.0.1:8080", "[::1]", "[::1]:80", "a-b.example"}) {
    EXPECT_TRUE(IsAuthority(host)) << host;
  }
  for (const char* text : {":80", "a/b", "a@b", "a b", "a?b", "a#b", "a\\b", "\"a\""}) {
    EXPECT_FALSE(IsAuthority(text)) << text;
  }
}

TEST(HttpSyntax, ComparesLettersOfBothCases) {
  EXPECT_TRUE(EqualsIgnoringCase("Content-Length", "cONTENT-lENGTH"));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
  // '[' and '{' differ by the bit that tells cases apart, and are no letters.
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
}

TEST(HttpSyntax, TrimsBlanksAndTabsOnly) {
  EXPECT_EQ(TrimBlanks(" \ta b\t "), "a b");
  EXPECT_EQ(TrimBlanks(" \t "), "");
  EXPECT_EQ(TrimBlanks("\ra"), "\ra");
}

}  // namespace
}  // namespace ashlar::net
