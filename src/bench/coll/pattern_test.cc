#include "bench/coll/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace ashlar::bench {
namespace {

template <typename T>
std::vector<T> As(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Pattern, ReducedIsTheReductionOfTheContributions) {
  // The same sum in another way: 64-bit whole numbers added column by column.
  for (const int64_t ranks : {1, 2, 5, 64}) {
    const PatternSpec spec{.type = DataType::kFloat, .op = ReduceOp::kSum, .ranks = ranks, .seed = 3};
    std::vector<int64_t> sums(kPatternPeriod);
    for (int64_t rank = 0; rank < ranks; ++rank) {
      const auto values = As<float>(Contribution(spec, rank));
      for (size_t i = 0; i < kPatternPeriod; ++i) sums[i] += std::lround(values[i]);
    }
    const auto reduced = As<float>(Reduced(spec));
    for (size_t i = 0; i < kPatternPeriod; ++i) EXPECT_EQ(reduced[i], static_cast<float>(sums[i])) << ranks;
  }
}

TEST(Pattern, SumsStayExactInSmallTypesHoweverManyRanks) {
  struct Row {
    DataType type;
    int64_t ranks;
    int64_t bound;  // 127 for int8; 2^8 for bfloat16 and 2^11 for half: the whole numbers that they hold exactly
  };
  const Row rows[] = {{DataType::kInt8, 1, 127},
                      {DataType::kInt8, 100, 127},
                      {DataType::kInt8, 1000, 127},
                      {DataType::kHalf, 5000, 2048},
                      {DataType::kBfloat16, 300, 256}};
  for (const Row& row : rows) {
    std::vector<int64_t> sums(kPatternPeriod);
    const PatternSpec spec{.type = row.type, .op = ReduceOp::kSum, .ranks = row.ranks};
    for (int64_t rank = 0; rank < row.ranks; ++rank) {
      const std::vector<std::byte> period = Contribution(spec, rank);
      for (size_t i = 0; i < kPatternPeriod; ++i) {
        // Partial sums in the worst order: all of one sign.
        double value = 0;
        if (row.type == DataType::kInt8) value = std::abs(static_cast<int8_t>(period[i]));
        uint16_t bits = 0;
        if (row.type != DataType::kInt8) std::memcpy(&bits, &period[2 * i], 2);
        if (row.type == DataType::kHalf && (bits & 0x7FFFU) != 0)
          value = std::ldexp((bits & 0x3FFU) | 0x400U, ((bits >> 10U) & 0x1FU) - 25);
        if (row.type == DataType::kBfloat16) {
          const uint32_t wide = static_cast<uint32_t>(bits & 0x7FFFU) << 16U;
          float number = 0;
          std::memcpy(&number, &wide, 4);
          value = number;
        }
        sums[i] += std::lround(value);
      }
    }
    EXPECT_LE(*std::max_element(sums.begin(), sums.end()), row.bound) << Info(row.type).name << " " << row.ranks;
    EXPECT_GT(*std::max_element(sums.begin(), sums.end()), 0);
  }
}

TEST(Pattern, BothResultsOfALogicalOperationOccur) {
  for (const ReduceOp op : {ReduceOp::kLogicalAnd, ReduceOp::kLogicalOr, ReduceOp::kLogicalXor}) {
    for (const int64_t ranks : {2, 16}) {
      const auto reduced = As<int32_t>(Reduced({.type = DataType::kInt32, .op = op, .ranks = ranks}));
      EXPECT_THAT(reduced, ::testing::Contains(0)) << Info(op).name;
      EXPECT_THAT(reduced, ::testing::Contains(1)) << Info(op).name;
    }
  }
}

TEST(Pattern, ProductsAreAtMostSixtyFour) {
  const auto reduced = As<int8_t>(Reduced({.type = DataType::kInt8, .op = ReduceOp::kProduct, .ranks = 50}));
  EXPECT_EQ(*std::max_element(reduced.begin(), reduced.end()), 64);
  EXPECT_EQ(*std::min_element(reduced.begin(), reduced.end()), 1);
}

TEST(Pattern, RanksAndSeedsDiffer) {
  const PatternSpec spec{.type = DataType::kInt32, .ranks = 4, .seed = 1};
  PatternSpec other = spec;
  other.seed = 2;
  EXPECT_NE(Contribution(spec, 0), Contribution(spec, 1));
  EXPECT_NE(Contribution(spec, 0), Contribution(other, 0));
  EXPECT_EQ(Contribution(spec, 3), Contribution(spec, 3));
}

TEST(Pattern, CountsExactlyTheWrongElements) {
  const PatternSpec spec{.type = DataType::kDouble, .ranks = 1};
  const std::vector<std::byte> period = Contribution(spec, 0);
  std::vector<std::byte> buffer(3 * kPatternPeriod * sizeof(double));
  constexpr uint64_t kFirst = 5 * kPatternPeriod + 1000;  // wraps after nine elements
  FillRepeated(DataType::kDouble, period, kFirst, buffer);
  EXPECT_EQ(CountWrong(DataType::kDouble, period, kFirst, buffer), 0U);
  buffer[0] ^= std::byte{1};
  buffer[8 * 2000 + 3] ^= std::byte{0x80};
  buffer.back() ^= std::byte{0x40};
  EXPECT_EQ(CountWrong(DataType::kDouble, period, kFirst, buffer), 3U);
  EXPECT_GT(CountWrong(DataType::kDouble, period, kFirst + 1, buffer), 2000U);  // moved by one element: nearly all
  EXPECT_EQ(CountWrong(DataType::kDouble, period, 0, {}), 0U);
}

TEST(Pattern, EveryTypeAndOperationFillsAndChecks) {
  for (const DataTypeInfo& type : DataTypes()) {
    for (const ReduceOpInfo& op : ReduceOps()) {
      if (!CheckReduction(op.op, type.type).ok()) continue;
      const PatternSpec spec{.type = type.type, .op = op.op, .ranks = 3};
      const std::vector<std::byte> reduced = Reduced(spec);
      EXPECT_EQ(CountWrong(type.type, reduced, 0, reduced), 0U) << type.name << " " << op.name;
      EXPECT_NE(reduced, Contribution(spec, 0)) << type.name << " " << op.name;
    }
  }
}

}  // namespace
}  // namespace ashlar::bench
