#include "bench/validate/drill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

const stats::Topology& EightNodes() {
  static const stats::Topology kTopology{.nodes = 8, .switches = {{0, 1, 2, 3}, {4, 5, 6, 7}}};
  return kTopology;
}

TEST(ParseDrill, RefusesWhatCannotBe) {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row rows[] = {
      {"melt:3", "KIND one of slow_rank"},
      {"hang", "which node"},
      {"hang:8", "there are 8 nodes"},
      {"hang:-1", "there are 8 nodes"},
      {"hang:x", "there are 8 nodes"},
      {"slow_link:3", "a link is two"},
      {"slow_link:3-3", "a link is two"},
      {"slow_link:3-9", "a link is two"},
      {"slow_switch:2", "there are 2 switch"},
      {"hang:3:0.5", "faults that are slow"},
      {"slow_rank:3:0", "above 0"},
      {"slow_rank:3:1", "below 1"},
      {"slow_rank:3:0.5:1", "above 0"},
      {"hang:3,", "KIND one of"},
  };
  for (const Row& row : rows) {
    const auto faults = ParseDrill(row.text, EightNodes());
    ASSERT_EQ(faults.status().code(), base::StatusCode::kInvalidArgument) << row.text;
    EXPECT_THAT(std::string(base::Message(faults.status())), HasSubstr(row.message)) << row.text;
  }
}

TEST(ParseDrill, ReadsEveryKind) {
  const auto faults =
      ParseDrill("slow_rank:1,slow_link:5-2:0.4,slow_switch:1:0.3,corrupt:4,hang:3,crash:0,throttled:6:0.7,flapping:7",
                 EightNodes());
  ASSERT_TRUE(faults.ok()) << faults.status();
  ASSERT_EQ(faults->size(), std::size(stats::kAllFaultKinds));
  EXPECT_DOUBLE_EQ((*faults)[0].speed_left, 0.5);
  EXPECT_EQ((*faults)[1].culprit, (stats::Culprit{stats::CulpritKind::kLink, 2, 5}));
  EXPECT_DOUBLE_EQ((*faults)[1].speed_left, 0.4);
  EXPECT_EQ((*faults)[2].culprit.kind, stats::CulpritKind::kSwitch);
  EXPECT_LT((*faults)[7].activity, 1);
  EXPECT_TRUE(ParseDrill("", EightNodes())->empty());
}

TEST(RankFaultsText, OnlyTestsThatAreTouchedAndTheRankThatShowsIt) {
  const auto faults = ParseDrill("slow_link:2-5:0.4,hang:3,slow_switch:1:0.5", EightNodes()).value();
  std::mt19937_64 random(1);
  const auto text = [&](const std::vector<int>& nodes, int ranks) {
    return RankFaultsText(faults, EightNodes(), nodes, ranks, random);
  };
  EXPECT_EQ(text({0, 1}, 1), "");
  EXPECT_EQ(text({0, 2}, 1), "");
  EXPECT_EQ(text({1, 3}, 1), "1:hang");
  EXPECT_EQ(text({1, 3}, 8), "8:hang");                 // the first rank of the second node
  EXPECT_EQ(text({2, 5}, 1), "0:slow:0.4,1:slow:0.5");  // the link, and the switch that node 5 is behind
  EXPECT_TRUE(ParseRankFaults(text({2, 3, 5}, 2)).ok());
}

}  // namespace
}  // namespace ashlar::bench
