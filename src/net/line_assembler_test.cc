#include "net/line_assembler.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ashlar::net {
namespace {

using Result = LineAssembler::Result;

struct Outcome {
  std::vector<std::string> lines;
  Result last = Result::kMore;
  size_t used = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome Assemble(std::string_view bytes, size_t limit, size_t piece) {
  LineAssembler assembler(limit);
  Outcome outcome;
  while (outcome.used < bytes.size()) {
    const LineAssembler::Step step = assembler.Next(bytes.substr(outcome.used, piece));
    outcome.used += step.consumed;
    outcome.last = step.result;
    if (step.result == Result::kLine) outcome.lines.emplace_back(step.line);
    if (step.result == Result::kBadEnd || step.result == Result::kTooLong) break;
  }
  return outcome;
}

struct Row {
  std::string name;
  std::string bytes;
  size_t limit;
  Outcome expected;
};

TEST(LineAssembler, GivesTheSameInPiecesOfAnySize) {
  const std::vector<Row> rows = {
      {"bare line feed", "ab\ncd", 100, {{}, Result::kBadEnd, 3}},
      {"line feed first", "\n", 100, {{}, Result::kBadEnd, 1}},
      {"bare line feed after a line", "a\r\n\n", 100, {{"a"}, Result::kBadEnd, 4}},
      {"over the limit without an end", "abcdef", 4, {{}, Result::kTooLong, 5}},
      {"over the limit with an end", "abc\r\n", 4, {{}, Result::kTooLong, 5}},
      {"over the limit in the second line", "a\r\nbcdef\r\n", 6, {{"a"}, Result::kTooLong, 7}},
      {"at the limit", "ab\r\n", 4, {{"ab"}, Result::kLine, 4}},
      {"two lines and a rest", "ab\r\n\r\ncd", 100, {{"ab", ""}, Result::kMore, 8}},
      {"carriage return inside", "a\rb\r\n", 100, {{"a\rb"}, Result::kLine, 5}},
  };
  for (const Row& row : rows) {
    for (size_t piece = 1; piece <= row.bytes.size(); ++piece) {
      EXPECT_EQ(Assemble(row.bytes, row.limit, piece), row.expected) << row.name << " in pieces of " << piece;
    }
  }
}

TEST(LineAssembler, CountsAnewAfterReset) {
  LineAssembler assembler(4);
  EXPECT_EQ(assembler.Next("ab\r\n").result, Result::kLine);
  EXPECT_EQ(assembler.used(), 4U);
  EXPECT_EQ(assembler.Next("c").result, Result::kTooLong);
  assembler.Reset(5);
  EXPECT_EQ(assembler.Next("abc\r\n").line, "abc");
  assembler.Reset();
  EXPECT_EQ(assembler.used(), 0U);
}

}  // namespace
}  // namespace ashlar::net
