#include <gtest/gtest.h>

#include "node/network_interface.h"

namespace ashlar::node {
namespace {

TEST(ReadEthtoolStatisticsTest, RefusesNamesThatAreNone) {
  EXPECT_EQ(ReadEthtoolStatistics("").status().code(), base::StatusCode::kNotFound);
  EXPECT_EQ(ReadEthtoolStatistics("sixteencharacter").status().code(), base::StatusCode::kNotFound);  // IFNAMSIZ is 16
  EXPECT_EQ(ReadEthtoolStatistics("no-such-nic").status().code(), base::StatusCode::kNotFound);
}

TEST(ReadEthtoolStatisticsTest, TheLoopbackHasNone) {
  const auto statistics = ReadEthtoolStatistics("lo");
  EXPECT_EQ(statistics.status().code(), base::StatusCode::kUnimplemented) << statistics.status();
}

}  // namespace
}  // namespace ashlar::node
