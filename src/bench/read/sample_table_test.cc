#include "bench/read/sample_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "bench/read/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::SizeIs;

constexpr std::array kColumns = {
    ColumnForm{.heading = "Size", .name = "size_bytes", .use = ColumnUse::kLabel},
    ColumnForm{.heading = "Check", .name = "check", .use = ColumnUse::kWord},
    ColumnForm{.heading = "Time", .name = "time", .unit = "seconds", .factor = 1e-6},
    ColumnForm{.heading = "Time of day", .name = "time_of_day"},
};

TEST(SampleColumnsTest, TheLongestHeadingWins) {
  const auto table = SampleColumns::FromHeading(" Size\tTime of day  Time ", kColumns);
  ASSERT_TRUE(table.has_value());
  EXPECT_TRUE(table->Has("time_of_day"));
  EXPECT_TRUE(table->Has("time"));
  EXPECT_FALSE(table->Has("check"));
}

TEST(SampleColumnsTest, HeadingsThatAreNotKnownAreNotGuessed) {
  for (const char* heading : {"", "Size Speed", "Size Time Time", "Time of", "size"}) {
    EXPECT_FALSE(SampleColumns::FromHeading(heading, kColumns).has_value()) << heading;
  }
  EXPECT_FALSE(SampleColumns::FromHeading("Size" + std::string(kLongestHeading, ' ') + "Time", kColumns).has_value());
}

TEST(SampleColumnsTest, ARowBecomesSiUnits) {
  const auto table = SampleColumns::FromHeading("Size Time Check", kColumns);
  ASSERT_TRUE(table.has_value());
  const auto sample = table->ReadRow(7, "  4096\t12.50   Pass");
  ASSERT_TRUE(sample.has_value());
  EXPECT_EQ(sample->line, 7U);
  EXPECT_EQ(NumberLabel(*sample, "size_bytes"), 4096U);
  EXPECT_EQ(sample->labels.at("check"), "Pass");
  ASSERT_THAT(sample->quantities, SizeIs(1));
  const Quantity* time = FindQuantity(*sample, "time");
  ASSERT_NE(time, nullptr);
  EXPECT_DOUBLE_EQ(time->value, 12.5e-6);
  EXPECT_DOUBLE_EQ(time->half_step, 5e-9);  // half of 0.01 µs
  EXPECT_EQ(time->unit, "seconds");
  EXPECT_EQ(FindQuantity(*sample, "bandwidth"), nullptr);
}

TEST(SampleColumnsTest, WhatIsNoWholeRowIsNone) {
  const auto table = SampleColumns::FromHeading("Size Time Check", kColumns);
  ASSERT_TRUE(table.has_value());
  for (const char* row : {"", "4096", "4096 1.0", "4096 1.0 Pass 1", "-1 1.0 Pass", "4.5 1.0 Pass", "4096 nan Pass",
                          "4096 -1.0 Pass", "18446744073709551616 1.0 Pass", "4096 1.0x Pass"}) {
    EXPECT_FALSE(table->ReadRow(1, row).has_value()) << row;
  }
  EXPECT_FALSE(table->ReadRow(1, "1 1.0 " + std::string(kLongestHeading, 'x')).has_value());
}

TEST(NumberLabelTest, OnlyWholeNumbersCount) {
  Sample sample;
  sample.labels = {{"whole", 3}, {"minus", -3}, {"word", "3"}, {"part", 3.5}};
  EXPECT_EQ(NumberLabel(sample, "whole"), 3U);
  for (const char* name : {"minus", "word", "part", "absent"}) {
    EXPECT_FALSE(NumberLabel(sample, name).has_value()) << name;
  }
}

}  // namespace
}  // namespace ashlar::bench
