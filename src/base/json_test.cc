#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ashlar::base {
namespace {

using ::testing::HasSubstr;

Json Example() {
  return JsonObject{
      {"text", "t"},       {"int", 7},     {"real", 1.5},     {"whole", 3.0},
      {"big", UINT64_MAX}, {"flag", true}, {"null", nullptr}, {"in", JsonObject{{"ner", JsonObject{{"x", 1}}}}}};
}

TEST(JsonAccessTest, NamesTheMemberThatIsMissingOrWrong) {
  const Json json = Example();
  struct Row {
    std::string name;
    Status status;
    std::string message;
  };
  const Row rows[] = {
      {"missing text", GetString(json, "absent").status(), "\"absent\" is missing"},
      {"missing number", GetNumber(json, "absent").status(), "\"absent\" is missing"},
      {"missing int", GetInt(json, "absent").status(), "\"absent\" is missing"},
      {"missing flag", GetBool(json, "absent").status(), "\"absent\" is missing"},
      {"number as text", GetString(json, "int").status(), "\"int\" is not a text"},
      {"null as text", GetString(json, "null").status(), "\"null\" is not a text"},
      {"text as number", GetNumber(json, "text").status(), "\"text\" is not a number"},
      {"fraction as int", GetInt(json, "real").status(), "\"real\" is not a whole number"},
      {"too large an int", GetInt(json, "big").status(), "\"big\" is not a whole number"},
      {"text as int", GetInt(json, "text").status(), "\"text\" is not a whole number"},
      {"number as flag", GetBool(json, "int").status(), "\"int\" is not true or false"},
      {"no object", GetInt(Json(5), "int").status(), "\"int\" is missing"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.status.code(), StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(Message(row.status), HasSubstr(row.message)) << row.name;
  }
}

TEST(JsonAccessTest, GivesWhatIsThere) {
  const Json json = Example();
  EXPECT_EQ(*GetString(json, "text"), "t");
  EXPECT_EQ(*GetInt(json, "int"), 7);
  EXPECT_EQ(*GetInt(json, "whole"), 3);
  EXPECT_EQ(*GetNumber(json, "int"), 7.0);
  EXPECT_EQ(*GetNumber(json, "real"), 1.5);
  EXPECT_TRUE(*GetBool(json, "flag"));
}

TEST(JsonAccessTest, FindsByNameAndPath) {
  const Json json = Example();
  EXPECT_EQ(Find(json, "absent"), nullptr);
  EXPECT_EQ(Find(JsonArray{1}, "0"), nullptr);
  EXPECT_TRUE(Find(json, "null")->is_null());
  EXPECT_EQ(FindPath(json, "in.ner.x")->get_int64(), 1);
  for (const char* path : {"in.ner.y", "in.absent.x", "int.x", "", "in..x", "in."}) {
    EXPECT_EQ(FindPath(json, path), nullptr) << path;
  }
}

TEST(StorableJsonTest, LeavesAloneWhatIsStorable) {
  const Json json = JsonObject{{"a", JsonArray{1, -2.5, true, nullptr, "\xC3\xA4"}}, {"b", int64_t{1} << 53U}};
  EXPECT_EQ(StorableJson(json), json);
}

TEST(StorableJsonTest, MendsTextNamesAndNumbers) {
  const Json json = JsonObject{{"n\xFF", JsonArray{"t\xFF", (uint64_t{1} << 53U) + 1, std::nan("")}}};
  const auto canonical = CanonicalJson(StorableJson(json));
  ASSERT_TRUE(canonical.ok()) << canonical.status();
  EXPECT_EQ(*canonical, R"({"n?":["t?",9007199254740992,null]})");
}

TEST(NumberOrNullTest, JsonHasNoInfinity) {
  EXPECT_EQ(NumberOrNull(1.5), Json(1.5));
  EXPECT_TRUE(NumberOrNull(std::numeric_limits<double>::quiet_NaN()).is_null());
  EXPECT_TRUE(NumberOrNull(-std::numeric_limits<double>::infinity()).is_null());
}

}  // namespace
}  // namespace ashlar::base
