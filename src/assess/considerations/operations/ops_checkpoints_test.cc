#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(OpsCheckpointsTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kOpsCheckpoints.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar ckpt list");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(OpsCheckpointsTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kOpsCheckpoints.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
