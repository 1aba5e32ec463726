#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsRightsizeTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsRightsize.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar cost rightsize");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsRightsizeTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsRightsize.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
