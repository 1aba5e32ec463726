#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsAutoscaleTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsAutoscale.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar fleet scale");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsAutoscaleTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsAutoscale.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
