#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(SecIntegrityTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kSecIntegrity.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar model verify");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(SecIntegrityTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kSecIntegrity.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
