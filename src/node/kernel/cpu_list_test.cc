#include "node/kernel/cpu_list.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

TEST(ParseCpuListTest, ReadsRanges) {
  struct Row {
    std::string_view text;
    std::vector<uint32_t> cpus;
  };
  const Row rows[] = {{"", {}}, {"\n", {}}, {"0\n", {0}}, {"0-3,8\n", {0, 1, 2, 3, 8}}, {"5,7-7", {5, 7}}};
  for (const Row& row : rows) {
    const auto cpus = ParseCpuList(row.text);
    ASSERT_TRUE(cpus.ok()) << row.text;
    EXPECT_EQ(*cpus, row.cpus) << row.text;
  }
}

TEST(ParseCpuListTest, RefusesWhatIsMalformed) {
  for (const std::string_view text : {",", "0,", "a", "1-", "-1", "3-1", "0-3,2", "5,4", "1,1", "0-3-5", "0 1",
                                      "99999999999999999999", "0-18446744073709551615"}) {
    EXPECT_EQ(ParseCpuList(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseCpuListTest, HoldsItsLimit) {
  EXPECT_TRUE(ParseCpuList(fmt::format("0-{}", kMaxCpus - 1)).ok());
  EXPECT_FALSE(ParseCpuList(fmt::format("0-{}", kMaxCpus)).ok());
}

TEST(FormatCpuListTest, IsTheReverse) {
  for (const std::string_view text : {"", "0", "0-3,8", "1,3,5-6"}) {
    EXPECT_EQ(FormatCpuList(*ParseCpuList(text)), text);
  }
}

}  // namespace
}  // namespace ashlar::node
