#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(CostSavingsPlansTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kCostSavingsPlans.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_NE(judgement.reason.find("ashlar cost plan"), std::string::npos) << judgement.reason;
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(CostSavingsPlansTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kCostSavingsPlans.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
