#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(SecAccessTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kSecAccess.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_NE(judgement.reason.find("ashlar gateway"), std::string::npos) << judgement.reason;
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(SecAccessTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kSecAccess.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
