#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "base/json.h"
#include "base/limits.h"

namespace ashlar::base {
namespace {

using ::testing::HasSubstr;

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ParseJsonTest, RefusesWhatIsNoJson) {
  struct Row {
    std::string name;
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {"nothing", "", "byte 0"},
      {"blanks only", "  ", "byte 2"},
      {"open list", "[1", "byte 2"},
      {"comma at the end", "[1,]", "byte 3"},
      {"comment", "[1 /*x*/]", "byte 3"},
      {"single quotes", "{'a':1}", "byte 1"},
      {"leading zero", "01", "byte 1"},
      {"plus", "+1", "byte 0"},
      {"point without digits", "1.", "byte 2"},
      {"not a number", "NaN", "byte 0"},
      {"infinity", "-Infinity", "byte 1"},
      {"text after the value", "{} x", "byte 3"},
      {"two values", "1 2", "byte 2"},
      {"raw newline in a text", "\"a\nb\"", "byte 2"},
      {"bad escape", "\"\\x\"", "byte 2"},
      {"half a surrogate pair", "\"\\ud800\"", "JSON at byte"},
      {"ill-formed UTF-8", "\"\xC0\xAF\"", "JSON at byte"},
      {"encoded surrogate", "\"\xED\xA0\x80\"", "JSON at byte"},
      {"a name twice", "{\"a\":1,\"b\":2,\"a\":3}", "\"a\" appears twice"},
      {"a name twice, once escaped", "{\"a\":1,\"\\u0061\":3}", "\"a\" appears twice"},
      {"a name twice, further in", "[{\"x\":{\"y\":1,\"y\":1}}]", "\"y\" appears twice"},
      {"too large a number", "[1e400]", "1e400 is beyond the range"},
      {"too small a number", "[-1e309]", "-1e309 is beyond the range"},
  };
  for (const Row& row : rows) {
    const auto json = ParseJson(row.text);
    EXPECT_EQ(json.status().code(), StatusCode::kInvalidArgument) << row.name << ": " << json.status();
    EXPECT_THAT(Message(json.status()), HasSubstr(row.message)) << row.name;
  }
}

TEST(ParseJsonTest, HoldsItsLimits) {
  EXPECT_TRUE(ParseJson(Nested(kMaxJsonDepth)).ok());
  EXPECT_EQ(ParseJson(Nested(kMaxJsonDepth + 1)).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ParseJson(std::string(5'000'000, '[')).status().code(), StatusCode::kResourceExhausted);
  const std::string at = "1" + std::string(kMaxJsonBytes - 1, ' ');
  EXPECT_TRUE(ParseJson(at).ok());
  EXPECT_EQ(ParseJson(at + " ").status().code(), StatusCode::kResourceExhausted);
}

TEST(ParseJsonTest, ReadsEveryKind) {
  const auto json = ParseJson(R"( {"null":null,"yes":true,"no":false,"int":-5,"max":18446744073709551615,"real":1.5,)"
                              R"("text":"a\u00e9\n\ud83d\ude00","list":[1,[],{}],"":{"a":{"a":1}}} )");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_TRUE(Find(*json, "null")->is_null());
  EXPECT_TRUE(Find(*json, "yes")->get_bool());
  EXPECT_FALSE(Find(*json, "no")->get_bool());
  EXPECT_EQ(Find(*json, "int")->get_int64(), -5);
  EXPECT_EQ(Find(*json, "max")->get_uint64(), UINT64_MAX);
  EXPECT_EQ(Find(*json, "real")->get_double(), 1.5);
  EXPECT_EQ(*GetString(*json, "text"), "aé\n😀");
  EXPECT_EQ(Find(*json, "list")->get_array().size(), 3U);
  EXPECT_EQ(FindPath(*Find(*json, ""), "a.a")->get_int64(), 1);
}

// The nearest double, bit for bit. The bits are those of RFC 8785, appendix B; the texts it gives for them.
TEST(ParseJsonTest, ReadsNumbersExactly) {
  struct Row {
    const char* text;
    uint64_t bits;
  };
  const Row rows[] = {
      {"5e-324", 0x0000000000000001},
      {"-5e-324", 0x8000000000000001},
      {"1.7976931348623157e+308", 0x7fefffffffffffff},
      {"-1.7976931348623157e+308", 0xffefffffffffffff},
      {"295147905179352830000", 0x4430000000000000},
      {"9.999999999999997e+22", 0x44b52d02c7e14af5},
      {"1e+23", 0x44b52d02c7e14af6},
      {"1.0000000000000001e+23", 0x44b52d02c7e14af7},
      {"999999999999999700000", 0x444b1ae4d6e2ef4e},
      {"999999999999999900000", 0x444b1ae4d6e2ef4f},
      {"1e+21", 0x444b1ae4d6e2ef50},
      {"9.999999999999997e-7", 0x3eb0c6f7a0b5ed8c},
      {"0.000001", 0x3eb0c6f7a0b5ed8d},
      {"333333333.3333332", 0x41b3de4355555553},
      {"333333333.33333325", 0x41b3de4355555554},
      {"333333333.3333333", 0x41b3de4355555555},
      {"333333333.3333334", 0x41b3de4355555556},
      {"333333333.33333343", 0x41b3de4355555557},
      {"-0.0000033333333333333333", 0xbecbf647612f3696},
      {"1e-400", 0},
  };
  for (const Row& row : rows) {
    const auto json = ParseJson(row.text);
    ASSERT_TRUE(json.ok()) << row.text << ": " << json.status();
    ASSERT_TRUE(json->is_double()) << row.text;
    EXPECT_EQ(std::bit_cast<uint64_t>(json->get_double()), row.bits) << row.text;
  }
}

}  // namespace
}  // namespace ashlar::base
