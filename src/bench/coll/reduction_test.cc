#include "bench/coll/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace ashlar::bench {
namespace {

template <typename T>
T Reduce(ReduceOp op, DataType type, T a, T b) {
  Accumulate(op, type, &b, &a, 1);
  return a;
}

TEST(Reduction, Integers) {
  // Worked by hand; wrapping as two's complement has it.
  struct Row {
    ReduceOp op;
    int8_t a;
    int8_t b;
    int8_t expected;
  };
  const Row rows[] = {
      {ReduceOp::kSum, 100, 27, 127},     {ReduceOp::kSum, 100, 100, -56},       {ReduceOp::kProduct, -3, 5, -15},
      {ReduceOp::kProduct, 64, 4, 0},     {ReduceOp::kMaximum, -3, 5, 5},        {ReduceOp::kMinimum, -3, 5, -3},
      {ReduceOp::kAverage, 3, 4, 7},      {ReduceOp::kLogicalAnd, 2, 4, 1},      {ReduceOp::kLogicalAnd, 2, 0, 0},
      {ReduceOp::kLogicalOr, 0, 0, 0},    {ReduceOp::kLogicalOr, 0, 9, 1},       {ReduceOp::kLogicalXor, 3, 9, 0},
      {ReduceOp::kLogicalXor, 0, 9, 1},   {ReduceOp::kBitAnd, 0x0C, 0x0A, 8},    {ReduceOp::kBitOr, 0x0C, 0x0A, 14},
      {ReduceOp::kBitXor, 0x0C, 0x0A, 6}, {ReduceOp::kMinimumLocation, 7, 1, 7},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Reduce(row.op, DataType::kInt8, row.a, row.b), row.expected) << Info(row.op).name << " " << int{row.a};
  }
  EXPECT_EQ(Reduce<uint64_t>(ReduceOp::kSum, DataType::kUint64, ~uint64_t{0}, 2), 1U);
}

TEST(Reduction, FloatingPoint) {
  EXPECT_EQ(Reduce(ReduceOp::kSum, DataType::kFloat, 1.5F, 2.25F), 3.75F);
  EXPECT_EQ(Reduce(ReduceOp::kMaximum, DataType::kLongDouble, -1.0L, 2.0L), 2.0L);
  EXPECT_EQ(Reduce(ReduceOp::kSum, DataType::kHalf, Half(1.5F), Half(2.0F)).bits, 0x4300);                  // 3.5
  EXPECT_EQ(Reduce(ReduceOp::kProduct, DataType::kBfloat16, Bfloat16(3.0F), Bfloat16(2.0F)).bits, 0x40C0);  // 6
  using Complex = std::complex<double>;
  // (1 + 2i)(3 - i) = 5 + 5i
  EXPECT_EQ(Reduce(ReduceOp::kProduct, DataType::kComplexDouble, Complex(1, 2), Complex(3, -1)), Complex(5, 5));
}

TEST(Reduction, LocationsPreferTheLowerIndexOnATie) {
  using Pair = Located<double>;
  const Pair low = Reduce(ReduceOp::kMinimumLocation, DataType::kDoubleInt, Pair{2, 4}, Pair{2, 1});
  EXPECT_EQ(low.index, 1);
  const Pair high = Reduce(ReduceOp::kMaximumLocation, DataType::kDoubleInt, Pair{3, 4}, Pair{2, 1});
  EXPECT_EQ(high.value, 3);
  EXPECT_EQ(high.index, 4);
}

TEST(Reduction, DivisionOfAnAverage) {
  int32_t whole[] = {7, -7, 9};
  DivideBy(DataType::kInt32, 3, whole, 3);
  EXPECT_THAT(whole, ::testing::ElementsAre(2, -2, 3));  // towards zero
  double number = 1;
  DivideBy(DataType::kDouble, 4, &number, 1);
  EXPECT_EQ(number, 0.25);
  std::complex<float> both(6, -3);
  DivideBy(DataType::kComplexFloat, 3, &both, 1);
  EXPECT_EQ(both, std::complex<float>(2, -1));
  Half half(9);
  DivideBy(DataType::kHalf, 2, &half, 1);
  EXPECT_EQ(static_cast<float>(half), 4.5F);
}

TEST(Reduction, EveryTypeHasTheSizeThatTheTableSays) {
  for (const DataTypeInfo& row : DataTypes()) {
    EXPECT_EQ(WithType(row.type, [](auto sample) { return sizeof(sample); }), row.size_bytes) << row.name;
  }
}

TEST(Reduction, PaddingIsNoDifference) {
  unsigned char a[sizeof(Located<double>)];
  unsigned char b[sizeof(Located<double>)];
  std::memset(a, 0x00, sizeof(a));
  std::memset(b, 0xFF, sizeof(b));
  const double value = 2.5;
  const int index = 3;
  for (unsigned char* element : {a, b}) {
    std::memcpy(element, &value, sizeof(value));
    std::memcpy(element + sizeof(value), &index, sizeof(index));
  }
  EXPECT_TRUE(SameElement(DataType::kDoubleInt, a, b));
  b[8] ^= 1U;
  EXPECT_FALSE(SameElement(DataType::kDoubleInt, a, b));
}

}  // namespace
}  // namespace ashlar::bench
