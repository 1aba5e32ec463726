#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/json.h"

namespace ashlar::base {
namespace {

using ::testing::HasSubstr;

// RFC 8785, appendix B, all rows: the bits of a double and its text.
TEST(CanonicalJsonTest, WritesNumbersAsAppendixBSays) {
  struct Row {
    uint64_t bits;
    const char* text;
  };
  const Row rows[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(*CanonicalJson(Json(std::bit_cast<double>(row.bits))), row.text);
    EXPECT_EQ(WriteJson(Json(std::bit_cast<double>(row.bits))), row.text);
  }
  for (const uint64_t bits : {0x7fffffffffffffffULL, 0x7ff0000000000000ULL, 0xfff0000000000000ULL}) {
    EXPECT_EQ(CanonicalJson(Json(std::bit_cast<double>(bits))).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(WriteJson(Json(std::bit_cast<double>(bits))), "null");
  }
}

// RFC 8785, section 3.2.2 (input) and 3.2.3 (output, whose bytes are listed in section 3.2.4).
TEST(CanonicalJsonTest, WritesTheExampleOfTheStandard) {
  const auto json = ParseJson(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(*CanonicalJson(*json),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

// RFC 8785, section 3.2.3: the sorting example, where UTF-16 order differs from that of UTF-8.
TEST(CanonicalJsonTest, SortsByUtf16CodeUnits) {
  const auto json = ParseJson(R"({
    "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
  })");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(*CanonicalJson(*json),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
            "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\","
            "\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalJsonTest, RefusesWhatAReaderWouldNotGetBack) {
  struct Row {
    std::string name;
    Json json;
    std::string message;
  };
  const Row rows[] = {
      {"2^53 + 1", Json(int64_t{9007199254740993}), "9007199254740993"},
      {"-2^53 - 1", Json(int64_t{-9007199254740993}), "-9007199254740993"},
      {"2^60: a double's text is ...847000", Json(int64_t{1152921504606846976}), "write it as text"},
      {"2^64 - 1", Json(UINT64_MAX), "write it as text"},
      {"smallest int64", Json(INT64_MIN), "write it as text"},
      {"text", Json("\xFF"), "not UTF-8"},
      {"member name", JsonObject{{"\xC0\x80", 1}}, "not UTF-8"},
      {"further in", JsonArray{1, JsonObject{{"a", JsonArray{std::nan("")}}}}, "not finite"},
  };
  for (const Row& row : rows) {
    const auto text = CanonicalJson(row.json);
    EXPECT_EQ(text.status().code(), StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(Message(text.status()), HasSubstr(row.message)) << row.name;
  }
  EXPECT_EQ(*CanonicalJson(Json(int64_t{9007199254740992})), "9007199254740992");
  EXPECT_EQ(*CanonicalJson(Json(int64_t{1152921504606847000})), "1152921504606847000");
}

// Written, read and written again: the ledger hashes this text, so nothing may move. Doubles of all magnitudes.
TEST(CanonicalJsonTest, IsTheSameAfterReading) {
  std::mt19937_64 random(20260102);  // a fixed seed
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const double whole = std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 20));
    const std::string text = *CanonicalJson(JsonArray{number, whole});
    const auto again = ParseJson(text);
    ASSERT_TRUE(again.ok()) << text;
    const auto rewritten = CanonicalJson(*again);
    ASSERT_TRUE(rewritten.ok()) << text << ": " << rewritten.status();
    ASSERT_EQ(*rewritten, text);
    ASSERT_EQ(again->get_array()[0].to_number<double>(), number);
  }
}

TEST(WriteJsonTest, KeepsTheOrderAndEscapesWhatMustBe) {
  const Json json = JsonObject{{"b", JsonArray{1, -2, 2.5, UINT64_MAX}}, {"a", nullptr}, {"\"", "\x01\x7F\t/é"}};
  EXPECT_EQ(WriteJson(json), "{\"b\":[1,-2,2.5,18446744073709551615],\"a\":null,\"\\\"\":\"\\u0001\x7F\\t/é\"}");
  EXPECT_EQ(*ParseJson(WriteJson(json)), json);
  EXPECT_EQ(WriteJson(Json(true)), "true");
  EXPECT_EQ(WriteJson(JsonObject()), "{}");
}

TEST(WriteJsonTest, IndentsByTwo) {
  const Json json = JsonObject{{"a", JsonArray{1, JsonObject{{"x", false}}}}, {"b", JsonArray()}, {"c", JsonObject()}};
  EXPECT_EQ(WriteJsonIndented(json),
            "{\n  \"a\": [\n    1,\n    {\n      \"x\": false\n    }\n  ],\n  \"b\": [],\n  \"c\": {}\n}\n");
  EXPECT_EQ(WriteJsonIndented(Json("text")), "\"text\"\n");
}

}  // namespace
}  // namespace ashlar::base
