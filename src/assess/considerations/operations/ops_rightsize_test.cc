#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsRightsizeTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsRightsize.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_NE(judgement.reason.find("ashlar cost rightsize"), std::string::npos) << judgement.reason;
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsRightsizeTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsRightsize.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
