#include "bench/coll/half.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ashlar::bench {
namespace {

TEST(Half, KnownPatterns) {
  // The table of examples in the article "Half-precision floating-point format" (IEEE 754 binary16).
  struct Row {
    uint16_t bits;
    float number;
  };
  const Row rows[] = {{0x0000, 0.0F},        {0x0001, 0x1p-24F},    {0x03FF, 0x1.FF8p-15F}, {0x0400, 0x1p-14F},
                      {0x3555, 0.33325195F}, {0x3BFF, 0.99951172F}, {0x3C00, 1.0F},         {0x3C01, 1.00097656F},
                      {0x7BFF, 65504.0F},    {0xC000, -2.0F},       {0x8001, -0x1p-24F}};
  for (const Row& row : rows) {
    EXPECT_EQ(FloatFromHalfBits(row.bits), row.number) << row.bits;
    EXPECT_EQ(HalfBitsFromFloat(row.number), row.bits) << row.number;
  }
}

TEST(Half, EveryPatternSurvivesTheWayThereAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float number = FloatFromHalfBits(static_cast<uint16_t>(bits));
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(FloatFromHalfBits(HalfBitsFromFloat(number))));
    } else {
      EXPECT_EQ(HalfBitsFromFloat(number), bits);
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  // Between 2048 and 4096 only even numbers exist: 2049 is a tie and goes to 2048, 2051 to 2052.
  EXPECT_EQ(static_cast<float>(Half(2049.0F)), 2048.0F);
  EXPECT_EQ(static_cast<float>(Half(2051.0F)), 2052.0F);
  EXPECT_EQ(HalfBitsFromFloat(65519.0F), 0x7BFF);  // below the midpoint to 65536
  EXPECT_EQ(HalfBitsFromFloat(65520.0F), 0x7C00);  // the midpoint rounds to infinity
  EXPECT_EQ(HalfBitsFromFloat(1e9F), 0x7C00);
  EXPECT_EQ(HalfBitsFromFloat(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_EQ(HalfBitsFromFloat(0x1p-25F), 0x0000);  // half of the smallest: a tie, even is zero
  EXPECT_EQ(HalfBitsFromFloat(0x1.8p-25F), 0x0001);
  EXPECT_TRUE(std::isnan(FloatFromHalfBits(HalfBitsFromFloat(std::nanf("")))));
}

TEST(Bfloat16, IsTheUpperHalfOfAFloatRounded) {
  EXPECT_EQ(Bfloat16(1.0F).bits, 0x3F80);  // the upper half of 0x3F800000
  EXPECT_EQ(Bfloat16(-2.0F).bits, 0xC000);
  EXPECT_EQ(static_cast<float>(Bfloat16(256.0F)), 256.0F);
  // Between 256 and 512 only even numbers exist: 257 is a tie and goes to 256, 259 to 260.
  EXPECT_EQ(static_cast<float>(Bfloat16(257.0F)), 256.0F);
  EXPECT_EQ(static_cast<float>(Bfloat16(259.0F)), 260.0F);
  EXPECT_TRUE(std::isnan(static_cast<float>(Bfloat16(std::nanf("")))));
  EXPECT_TRUE(std::isinf(static_cast<float>(Bfloat16(std::numeric_limits<float>::infinity()))));
}

}  // namespace
}  // namespace ashlar::bench
