#include "base/id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace ashlar::base {
namespace {

// 1767323045 seconds after 1970: `date -u -d @1767323045`.
TEST(NewIdTest, StartsWithTheTimeInUtc) {
  const std::string id = NewId(absl::FromUnixSeconds(1767323045));
  EXPECT_THAT(id, ::testing::MatchesRegex("20260102T030405-[0-9a-f]+"));
  EXPECT_EQ(id.size(), 15U + 1 + 16);
}

TEST(NewIdTest, SortsByTimeAndNeverRepeats) {
  const absl::Time time = absl::FromUnixSeconds(1767323045);
  EXPECT_LT(NewId(time), NewId(time + absl::Seconds(1)));
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(NewId(time));
  EXPECT_EQ(ids.size(), 1000U);
}

}  // namespace
}  // namespace ashlar::base
