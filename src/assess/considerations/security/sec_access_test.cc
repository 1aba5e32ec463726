#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(SecAccessTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kSecAccess.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar gateway");
  EXPECT_FALSE(judgement.reason.empty());
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(SecAccessTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kSecAccess.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
