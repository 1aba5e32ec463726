#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsRecoveryTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsRecovery.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar run");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsRecoveryTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsRecovery.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
