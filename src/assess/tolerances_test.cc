#include "assess/tolerances.h"

#include <gtest/gtest.h>

namespace ashlar::assess {
namespace {

TEST(TolerancesTest, NamedInTheDataWithinZeroAndOne) {
  for (const char* name : {"collective_peak", "storage_bandwidth"}) {
    const auto share = ToleranceOf(name);
    ASSERT_TRUE(share.ok()) << share.status();
    EXPECT_GT(*share, 0);
    EXPECT_LT(*share, 1);
  }
}

TEST(TolerancesTest, UnknownNameIsNotFound) {
  EXPECT_EQ(ToleranceOf("no_such_thing").status().code(), base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace ashlar::assess
