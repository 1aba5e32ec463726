#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(CostSavingsPlansTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kCostSavingsPlans.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar cost plan");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(CostSavingsPlansTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kCostSavingsPlans.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
