#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(RelBackupTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kRelBackup.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar vault snapshot");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(RelBackupTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kRelBackup.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
