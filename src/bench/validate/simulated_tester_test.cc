#include "bench/validate/simulated_tester.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/validate/limits.h"

namespace ashlar::bench {
namespace {

TEST(SimulatedTester, RefusesSizesThatItCannotHold) {
  for (const int nodes : {-1, 0, 1, kMaxValidatedNodes + 1}) {
    EXPECT_EQ(MakeSimulatedTester({.nodes = nodes}).status().code(), base::StatusCode::kInvalidArgument) << nodes;
  }
  EXPECT_EQ(MakeSimulatedTester({.nodes = 8, .nodes_per_switch = 0}).status().code(),
            base::StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeSimulatedTester({.nodes = 8, .inject = "hang:9"}).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_TRUE(MakeSimulatedTester({.nodes = kMaxValidatedNodes}).ok());
}

TEST(SimulatedTester, SaysThatNothingWasMeasured) {
  const auto tester = MakeSimulatedTester({.nodes = 8, .inject = "hang:3"});
  ASSERT_TRUE(tester.ok());
  EXPECT_THAT((*tester)->method(), testing::HasSubstr("nothing was measured"));
  EXPECT_EQ((*tester)->drill(), "hang:3");
  const auto reports = (*tester)->Run({{.nodes = {0, 3}}, {.nodes = {1, 2}}}, {});
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0]->result.outcome, stats::TestOutcome::kHung);
  EXPECT_EQ(reports[1]->result.outcome, stats::TestOutcome::kFinished);
  EXPECT_THAT(reports[1]->text, testing::HasSubstr("GB/s"));
}

}  // namespace
}  // namespace ashlar::bench
