#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsDistributedTrainingTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsDistributedTraining.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar bench train");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsDistributedTrainingTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsDistributedTraining.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
