#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

TEST(SecAuditTest, LedgerThatWasNotVerifiedIsUnknown) {
  EXPECT_EQ(kSecAudit.judge(NoEvidence()).verdict, Verdict::kUnknown);
  EXPECT_EQ(kSecAudit.judge(NoEvidence()).command, "ashlar ledger verify");
}

TEST(SecAuditTest, BrokenChainFailsWithWhatWasFound) {
  Evidence evidence = NoEvidence();
  evidence.SetLedgerFacts({12, false, "entry 7 was edited"});
  const Judgement judgement = kSecAudit.judge(evidence);
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_NE(judgement.reason.find("entry 7 was edited"), std::string::npos);
}

// A chain that verifies is a third of the proof.
TEST(SecAuditTest, VerifiedChainAloneIsNoPass) {
  EXPECT_EQ(kSecAudit.judge(HealthyMachine()).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
