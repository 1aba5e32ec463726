#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(BenchTrainingTest, IsUnknownWithoutEvidenceAndNamesTheCommand) {
  const Judgement judgement = kBenchTraining.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, base::Verdict::kUnknown);
  EXPECT_NE(judgement.reason.find("ashlar bench train"), std::string::npos) << judgement.reason;
}

// What this version measures says nothing about it: a healthy machine is no evidence.
TEST(BenchTrainingTest, HealthyMachineDoesNotPassIt) {
  EXPECT_EQ(kBenchTraining.judge(HealthyMachine()).verdict, base::Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
