#include "node/kernel/pressure.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(ParsePressureTest, ReadsTheExampleOfTheDocumentation) {
  // Linux Documentation/accounting/psi.rst gives the two lines; the numbers are ours.
  const auto pressure = ParsePressure(
      "some avg10=1.50 avg60=0.25 avg300=0.06 total=123456\nfull avg10=0.00 avg60=0.13 avg300=100.00 total=99\n");
  ASSERT_TRUE(pressure.ok()) << pressure.status();
  ASSERT_TRUE(pressure->some && pressure->full);
  EXPECT_DOUBLE_EQ(pressure->some->average_10_seconds, 1.5);
  EXPECT_DOUBLE_EQ(pressure->some->average_60_seconds, 0.25);
  EXPECT_DOUBLE_EQ(pressure->some->average_300_seconds, 0.06);
  EXPECT_EQ(pressure->some->total_microseconds, 123456U);
  EXPECT_DOUBLE_EQ(pressure->full->average_300_seconds, 100);
}

TEST(ParsePressureTest, CpuHadNoFullLineBeforeLinux5_13) {
  const auto pressure = ParsePressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
  ASSERT_TRUE(pressure.ok()) << pressure.status();
  EXPECT_FALSE(pressure->full.has_value());
}

TEST(ParsePressureTest, RefusesWhatIsMalformed) {
  struct Row {
    std::string_view name;
    std::string_view text;
  };
  const Row rows[] = {
      {"empty", ""},
      {"another word", "most avg10=0.00 avg60=0.00 avg300=0.00 total=1\n"},
      {"no total", "some avg10=0.00 avg60=0.00 avg300=0.00\n"},
      {"total that is no number", "some avg10=0.00 avg60=0.00 avg300=0.00 total=x\n"},
      {"above 100 %", "some avg10=100.01 avg60=0.00 avg300=0.00 total=1\n"},
      {"negative", "some avg10=-1 avg60=0.00 avg300=0.00 total=1\n"},
      {"order", "some avg60=0.00 avg10=0.00 avg300=0.00 total=1\n"},
      {"more words", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1 2\n"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ParsePressure(row.text).status().code(), base::StatusCode::kInvalidArgument) << row.name;
  }
}

}  // namespace
}  // namespace ashlar::node
