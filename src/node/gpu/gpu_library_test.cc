#include "node/gpu/gpu_library.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

// Blank values as fleet-wide tools document them: DCGM_INT32_BLANK 0x7ffffff0, DCGM_INT64_BLANK 0x7ffffffffffffff0 and
// the kinds of blank above them.
TEST(BlankTest, KnowsSentinels) {
  EXPECT_FALSE(IsBlank32(0));
  EXPECT_FALSE(IsBlank32(0x7fffffef));
  EXPECT_TRUE(IsBlank32(0x7ffffff0));
  EXPECT_TRUE(IsBlank32(0x7fffffff));
  EXPECT_FALSE(IsBlank32(0x80000000));
  EXPECT_TRUE(IsBlank32(0xffffffff));
  EXPECT_FALSE(IsBlank64(0x7fffffffffffffef));
  EXPECT_TRUE(IsBlank64(0x7ffffffffffffff0));
  EXPECT_TRUE(IsBlank64(9223372036854775794U)) << "shown as a temperature by an exporter's own documentation";
  EXPECT_TRUE(IsBlank64(0xffffffffffffffff));
}

TEST(DriverTextTest, WantsAnEndAndSomethingToRead) {
  EXPECT_EQ(DriverText("abc\0def", 8), "abc");
  EXPECT_EQ(DriverText(" x \0", 4), "x");
  EXPECT_EQ(DriverText("abc", 3), std::nullopt) << "no end";
  EXPECT_EQ(DriverText("", 1), std::nullopt);
  EXPECT_EQ(DriverText("  \0", 3), std::nullopt);
  EXPECT_EQ(DriverText("a\nb", 4), std::nullopt);
  EXPECT_EQ(DriverText("\xff\xfe", 3), std::nullopt);
  EXPECT_EQ(DriverText("<<<NULL>>>", 11), std::nullopt);
}

}  // namespace
}  // namespace ashlar::node
