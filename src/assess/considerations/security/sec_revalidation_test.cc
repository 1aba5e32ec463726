#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(SecRevalidationTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kSecRevalidation.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar model revalidate");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(SecRevalidationTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kSecRevalidation.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
