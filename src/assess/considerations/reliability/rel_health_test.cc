#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

TEST(RelHealthTest, NoReportIsUnknownAndNamesTheCommand) {
  const Judgement judgement = kRelHealth.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar check");
}

// Checks alone are half of the question: without an alert drill it is never a pass.
TEST(RelHealthTest, ChecksWithoutADrillAreUnknownWithEvidence) {
  const Judgement judgement = kRelHealth.judge(HealthyMachine());
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_EQ(judgement.pointers.size(), 1U);
}

}  // namespace
}  // namespace ashlar::assess
