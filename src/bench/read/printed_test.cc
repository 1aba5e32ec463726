#include "bench/read/printed.h"

#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

TEST(ParsePrintedTest, KnowsHowFarRoundingMayHaveMoved) {
  struct Row {
    const char* text;
    double value;
    double half_step;
  };
  for (const Row& row : {Row{"0", 0, 0.5}, Row{"63896", 63896, 0.5}, Row{"0.51", 0.51, 0.005}, Row{"35.2", 35.2, 0.05},
                         Row{"1.2e+07", 1.2e7, 0.5e6}, Row{"1e+10", 1e10, 0.5e10}, Row{"0e+00", 0, 0.5},
                         Row{"4.0e-3", 0.004, 0.00005}}) {
    const auto printed = ParsePrinted(row.text);
    ASSERT_TRUE(printed) << row.text;
    EXPECT_DOUBLE_EQ(printed->value, row.value) << row.text;
    EXPECT_DOUBLE_EQ(printed->half_step, row.half_step) << row.text;
  }
}

TEST(ParsePrintedTest, TakesNothingElse) {
  for (const char* text : {"", "-1", "+1", "nan", "inf", "N/A", "1.2.3", "1e", "1e+", "1e999", "e5", ".5", " 1", "1 ",
                           "0x10", "1,5", "1e+-5"}) {
    EXPECT_FALSE(ParsePrinted(text)) << text;
  }
}

TEST(IntervalTest, MeetsAtItsEnds) {
  const Interval interval{.low = 1, .high = 2};
  EXPECT_TRUE(interval.Contains(1));
  EXPECT_TRUE(interval.Contains(2));
  EXPECT_FALSE(interval.Contains(2.001));
  EXPECT_TRUE(interval.Meets({.low = 2, .high = 3}));
  EXPECT_FALSE(interval.Meets({.low = 2.1, .high = 3}));
}

}  // namespace
}  // namespace ashlar::bench
