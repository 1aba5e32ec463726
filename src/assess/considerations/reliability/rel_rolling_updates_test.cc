#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(RelRollingUpdatesTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kRelRollingUpdates.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar fleet patch");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(RelRollingUpdatesTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kRelRollingUpdates.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
