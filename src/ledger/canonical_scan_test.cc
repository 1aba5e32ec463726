#include "ledger/canonical_scan.h"

#include <gtest/gtest.h>

#include "base/base.h"

namespace ashlar::ledger {
namespace {

constexpr size_t kDepth = 8;

constexpr const char* kCanonicalTexts[] = {
    "null",
    "true",
    "false",
    "0",
    "-1",
    "42",
    "999999999999999",
    "9007199254740992",
    "-9007199254740992",
    "\"\"",
    "\"text\"",
    "[]",
    "{}",
    "[1,2,[3]]",
    R"({"a":1,"b":{"c":null}})",
    // Appendix B of RFC 8785: doubles and their text.
    "5e-324",
    "1.7976931348623157e+308",
    "9007199254740992",
    "295147905179352830000",
    "9.999999999999997e+22",
    "1e+23",
    "1.0000000000000001e+23",
    "999999999999999700000",
    "1e+21",
    "9.999999999999997e-7",
    "0.000001",
    "333333333.3333332",
    "333333333.33333325",
    "333333333.3333333",
    "333333333.3333334",
    "333333333.33333343",
    "-0.0000033333333333333333",
    "1424953923781206.2",
    // Section 3.2.2.2 and 3.2.3: the escapes and the order of the RFC's own example.
    R"("€$\u000f\nA'B\"\\\\\"/")",
    "{\"\\r\":\"Carriage "
    "Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\",\"\xC3\xB6\":\"Latin\",\"\xE2\x82\xAC\":"
    "\"Euro\",\"\xF0\x9F\x98\x80\":\"Emoji\",\"\xEF\xAC\xB3\":\"Hebrew\"}",
};

TEST(CanonicalScanTest, CanonicalTextsPass) {
  for (const char* text : kCanonicalTexts) {
    EXPECT_TRUE(IsCanonicalJson(text, kDepth)) << text;
  }
}

constexpr const char* kOtherTexts[] = {
    "",
    " 1",
    "1 ",
    "nul",
    "tru",
    "True",
    "00",
    "01",
    "-0",
    "-",
    "+1",
    "1.0",
    "1e5",
    "1E+30",
    "1e30",
    "0.1e1",
    ".5",
    "5.",
    "0.10",
    "9007199254740993",
    "1.00000000000000001",
    "1e400",
    "NaN",
    "Infinity",
    "0x1",
    "\"",
    "\"a",
    "\"\\",
    "\"\\u\"",
    "\"\\u00\"",
    "\"\\u000\"",
    "\"\\u0041\"",
    "\"\\u000A\"",
    "\"\\u000a\"",
    "\"\\u0008\"",
    "\"\\u0009\"",
    "\"\\u000c\"",
    "\"\\u000d\"",
    "\"\\u001F\"",
    "\"\\u007f\"",
    "\"\\/\"",
    "\"\\x\"",
    "\"\n\"",
    "\"\x01\"",
    "\"\xFF\"",
    "\"\xC0\xAF\"",
    "\"\xED\xA0\x80\"",
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 ,2]",
    "[1, 2]",
    "{",
    "}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\" :1}",
    "{\"a\": 1}",
    R"({"b":1,"a":2})",
    R"({"a":1,"a":2})",
    "1 2",
    "[]x",
    // UTF-16 puts the emoji's surrogates before the Hebrew letter; byte order would not.
    "{\"\xEF\xAC\xB3\":1,\"\xF0\x9F\x98\x80\":2}",
    R"({"\n":1,"\b":2})",
};

TEST(CanonicalScanTest, OtherTextsAreRefused) {
  for (const char* text : kOtherTexts) {
    EXPECT_FALSE(IsCanonicalJson(text, kDepth)) << text;
  }
}

TEST(CanonicalScanTest, DepthIsLimited) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(IsCanonicalJson(nested(kDepth), kDepth));
  EXPECT_FALSE(IsCanonicalJson(nested(kDepth + 1), kDepth));
  EXPECT_TRUE(IsCanonicalJson("[[],[],[],[],[],[],[],[],[],[]]", 2)) << "side by side is not deep";
}

TEST(CanonicalScanTest, WhatTheCanonicalWriterWritesPasses) {
  for (const char* text : {R"({"z":[1.5,-2e-7,1e300,{"y":"\u0007\u001f \"q\" \\","x":[]}],"a":"ümläut €"})",
                           R"([0.1,1e21,123456789012345680000,1e-7,0.000001,-5e-324])"}) {
    const auto canonical = base::CanonicalJson(*base::ParseJson(text));
    ASSERT_TRUE(canonical.ok()) << canonical.status();
    EXPECT_TRUE(IsCanonicalJson(*canonical, kDepth)) << *canonical;
  }
}

}  // namespace
}  // namespace ashlar::ledger
