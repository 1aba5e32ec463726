#include "base/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace ashlar::base {
namespace {

using ::testing::HasSubstr;

TEST(ParseYamlTest, RefusesWhatIsNoYamlOrNoJson) {
  struct Row {
    std::string name;
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {"open list", "a: [1, 2", "line 1"},
      {"bad indentation", "a:\n  b: 1\n c: 2", "line 3"},
      {"tab as indentation", "a:\n\tb: 1", "line 2"},
      {"a key twice", "a: 1\nb: 2\na: 3", "line 3, column 1: key \"a\" appears twice"},
      {"a list as key", "? [a]\n: 1", "a key must be plain text"},
      {"a map as key", "{{a: 1}: 2}", "a key must be plain text"},
      {"no key", ": 1", "a key is missing"},
      {"an alias as key", "a: &x y\n*x : 1", "a key must be plain text"},
      {"alias without anchor", "a: *b", "line 1"},
      {"alias inside of itself", "&a [*a]", "inside of what it stands for"},
      {"two documents", "a: 1\n---\nb: 2", "more than one document"},
      {"merge key", "a: &x {b: 1}\nc:\n  <<: *x", "merge keys"},
      {"unknown tag", "a: !secret b", "tag !secret"},
      {"unknown tag of a list", "!mine [1]", "tag !mine"},
      {"infinity", "a: -.inf", "not finite"},
      {"not a number", ".nan", "not finite"},
      {"too large a number", "1e999", "not finite or too large"},
      {"zero byte", std::string("a: b\0_", 6), "byte 4: a control character"},
      {"delete", "a: \x7F", "byte 3: a control character"},
      {"escape of the next line", "a: \"\\N\"", "line 1, column 4: the escapes"},
      {"escape of the no-break space in a key", "\"\\_\": 1", "the escapes"},
      {"not UTF-8", "a: \xFF", "UTF-8"},
  };
  for (const Row& row : rows) {
    const auto json = ParseYaml(row.text);
    EXPECT_EQ(json.status().code(), StatusCode::kInvalidArgument) << row.name << ": " << json.status();
    EXPECT_THAT(Message(json.status()), HasSubstr(row.message)) << row.name;
  }
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(ParseYamlTest, HoldsItsLimits) {
  const auto flow = [](size_t depth) { return Repeat("[", depth) + Repeat("]", depth); };
  const auto compact = [](size_t depth) { return Repeat("- ", depth) + "x"; };
  EXPECT_TRUE(ParseYaml(flow(kMaxYamlDepth)).ok());
  EXPECT_TRUE(ParseYaml(compact(kMaxYamlDepth)).ok());
  const std::string aliased_at = "a: &x " + flow(kMaxYamlDepth - 2) + "\nb: [*x]";
  const std::string aliased_over = "a: &x " + flow(kMaxYamlDepth - 1) + "\nb: [*x]";
  EXPECT_TRUE(ParseYaml(aliased_at).ok()) << ParseYaml(aliased_at).status();
  const std::string over[] = {
      flow(kMaxYamlDepth + 1),
      compact(kMaxYamlDepth + 1),
      aliased_over,
      flow(100'000),
      Repeat("[", 300'000),
      Repeat("{a: ", 100'000),
      Repeat("- ", 100'000),
      Repeat("? ", 100'000),
      std::string(kMaxYamlBytes + 1, ' '),
      "[" + Repeat("1,", kMaxYamlNodes) + "]",  // the list itself is a node too
  };
  for (const std::string& text : over) {
    const auto json = ParseYaml(text);
    EXPECT_EQ(json.status().code(), StatusCode::kResourceExhausted) << text.substr(0, 20) << ": " << json.status();
  }
  EXPECT_TRUE(ParseYaml(std::string(kMaxYamlBytes, ' ')).ok());
  EXPECT_TRUE(ParseYaml("[" + Repeat("1,", kMaxYamlNodes - 1) + "]").ok());
}

TEST(ParseYamlTest, AliasesDoNotMakeALargeTreeOfASmallText) {
  // "Billion laughs": each line holds ten of the line before, 10^9 in the end.
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    text += fmt::format("a{0}: &a{0} [{1}*a{2}]\n", i, Repeat(fmt::format("*a{},", i - 1), 9), i - 1);
  }
  EXPECT_EQ(ParseYaml(text).status().code(), StatusCode::kResourceExhausted);
}

// The values of YAML 1.2.2, section 10.3.2 ("tag resolution" of the core schema) and its examples.
TEST(ParseYamlTest, ReadsPlainScalarsByTheCoreSchema) {
  struct Row {
    std::string text;
    Json value;
  };
  const Row rows[] = {
      {"", nullptr},
      {"~", nullptr},
      {"null", nullptr},
      {"Null", nullptr},
      {"NULL", nullptr},
      {"nULL", "nULL"},
      {"true", true},
      {"True", true},
      {"FALSE", false},
      {"yes", "yes"},
      {"on", "on"},
      {"tRUE", "tRUE"},
      {"0", 0},
      {"0o7", 7U},
      {"0x3A", 58U},
      {"-19", -19},
      {"+12", 12},
      {"010", 10},
      {"0o8", "0o8"},
      {"0x", "0x"},
      {"18446744073709551615", UINT64_MAX},
      {"18446744073709551616", 18446744073709551616.0},
      {"0.", 0.0},
      {"-0.0", -0.0},
      {".5", 0.5},
      {"+12e03", 12000.0},
      {"-2E+05", -200000.0},
      {"1.5", 1.5},
      {".", "."},
      {"1.2.3", "1.2.3"},
      {"1e", "1e"},
      {"e5", "e5"},
      {"-", JsonArray{nullptr}},
      {"1_000", "1_000"},
      {"2026-01-02", "2026-01-02"},
      {"12:30", "12:30"},
      {"16 GiB", "16 GiB"},
      {"\"1\"", "1"},
      {"'true'", "true"},
      {"\"\"", ""},
      {"!!str 12", "12"},
      {"|\n  12", "12"},
      {">\n a\n b", "a b"},
  };
  for (const Row& row : rows) {
    const auto json = ParseYaml(row.text);
    ASSERT_TRUE(json.ok()) << row.text << ": " << json.status();
    EXPECT_EQ(*json, row.value) << row.text << " is " << WriteJson(*json);
  }
}

TEST(ParseYamlTest, ReadsEscapes) {
  EXPECT_EQ(*ParseYaml(R"("\0\x41\u00e9\U0001F600\t\"\\")"), Json(std::string("\0Aé😀\t\"\\", 11)));
  EXPECT_EQ(ParseYaml(R"("\ud800")").status().code(), StatusCode::kInvalidArgument);
}

TEST(ParseYamlTest, ReadsATree) {
  const auto json = ParseYaml(
      "# comment\n"
      "limits: &common\n"
      "  memlock: unlimited   # text\n"
      "  files: 65536\n"
      "1: number as key\n"
      "empty:\n"
      "list:\n"
      "  - {name: a, of: [1, 2.5]}\n"
      "  - name: b\n"
      "    note: \"x: [y\"\n"
      "again: *common\n");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(WriteJson(*json), R"({"limits":{"memlock":"unlimited","files":65536},"1":"number as key","empty":null,)"
                              R"("list":[{"name":"a","of":[1,2.5]},{"name":"b","note":"x: [y"}],)"
                              R"("again":{"memlock":"unlimited","files":65536}})");
  EXPECT_EQ(WriteJson(*ParseYaml("---\na: 1\n...\n")), R"({"a":1})");
  // Brackets and dashes inside text open nothing.
  EXPECT_TRUE(ParseYaml("a: \"" + Repeat("[", 1000) + Repeat("- ", 3000) + "\"").ok());
}

}  // namespace
}  // namespace ashlar::base
