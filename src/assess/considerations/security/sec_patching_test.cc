#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(SecPatchingTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kSecPatching.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_NE(judgement.reason.find("ashlar fleet scan"), std::string::npos) << judgement.reason;
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(SecPatchingTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kSecPatching.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
