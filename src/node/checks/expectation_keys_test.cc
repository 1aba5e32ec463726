// The keys themselves; what they hold is tested in expectations_test.cc.
#include <gtest/gtest.h>

#include <set>

#include "node/checks/expectations.h"

namespace ashlar::node {
namespace {

TEST(ExpectationKeys, AreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const auto& key : ExpectationKeys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    EXPECT_EQ(key.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << key.name;
  }
}

// A quantity leaves the program with its unit in its name.
TEST(ExpectationKeys, NumbersCarryTheirUnit) {
  for (const auto& key : ExpectationKeys()) {
    const bool share = key.kind == ExpectationKind::kShare;
    EXPECT_EQ(share, key.name.ends_with("_share")) << key.name;
    if (key.kind == ExpectationKind::kBytes) {
      EXPECT_TRUE(key.name.ends_with("_bytes")) << key.name;
    }
  }
}

}  // namespace
}  // namespace ashlar::node
