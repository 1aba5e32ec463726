#include "assess/scorecard.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

const Judgement& JudgementOf(const Scorecard& scorecard, std::string_view id) {
  for (const ScorecardRow& row : scorecard.rows) {
    if (row.consideration->id == id) return row.judgement;
  }
  ADD_FAILURE() << "no row " << id;
  return scorecard.rows.front().judgement;
}

// 38 considerations: the number of rows in the list that the product answers for.
TEST(ScorecardTest, EveryConsiderationIsJudgedAndNothingPassesWithoutEvidence) {
  const Scorecard scorecard = Assess(NoEvidence());
  EXPECT_EQ(scorecard.rows.size(), 38U);
  const VerdictCounts counts = CountVerdicts(scorecard);
  EXPECT_EQ(counts.unknown, 38);
  EXPECT_EQ(ExitStatusOf(scorecard), base::ExitStatus::kCouldNotRun);
  for (const ScorecardRow& row : scorecard.rows) {
    EXPECT_FALSE(row.judgement.reason.empty()) << row.consideration->id;
  }
}

TEST(ScorecardTest, HealthyMachinePassesWhatItCanProve) {
  const Scorecard scorecard = Assess(HealthyMachine());
  EXPECT_EQ(JudgementOf(scorecard, "bench-nccl").verdict, Verdict::kPass);
  EXPECT_EQ(JudgementOf(scorecard, "bench-node-health").verdict, Verdict::kPass);
  EXPECT_EQ(JudgementOf(scorecard, "bench-rccl").verdict, Verdict::kNotApplicable);
  EXPECT_EQ(ExitStatusOf(scorecard), base::ExitStatus::kPass);
  const VerdictCounts performance = CountVerdicts(scorecard, Pillar::kPerformance);
  EXPECT_EQ(performance.pass + performance.unknown + performance.not_applicable, 4);
}

TEST(ScorecardTest, AnyFailureFallsShort) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(60, "node.check", CheckBody("memory-amount", "fail")));
  EXPECT_EQ(ExitStatusOf(Assess(evidence)), base::ExitStatus::kFallsShort);
}

TEST(ScorecardTest, ComparesWithTheStoredScorecard) {
  Evidence evidence = HealthyMachine();
  EXPECT_FALSE(Assess(evidence).baseline.has_value());
  EXPECT_TRUE(Assess(evidence).changes.empty());
  evidence.Add(TestEntry(60, "assess.scorecard", base::WriteJson(ScorecardToJson(Assess(evidence)))));
  evidence.Add(TestEntry(61, "node.check", CheckBody("memory-amount", "fail")));
  const Scorecard after = Assess(evidence);
  EXPECT_EQ(after.baseline, 60U);
  ASSERT_EQ(after.changes.size(), 2U);
  EXPECT_EQ(after.changes[0].what, "bench-node-health");
  EXPECT_EQ(after.changes[0].before, "pass");
  EXPECT_EQ(after.changes[0].after, "fail");
  EXPECT_TRUE(after.changes[0].worse);
  EXPECT_EQ(after.changes[1].what, "memory-amount");
}

TEST(ScorecardTest, MalformedStoredScorecardGivesNoChanges) {
  for (const char* body :
       {R"({})", R"({"scorecard": 1})", R"({"scorecard": [{"id": "bench-nccl", "verdict": "great"}]})"}) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(1, "assess.scorecard", body));
    EXPECT_TRUE(Assess(evidence).changes.empty()) << body;
  }
}

TEST(ScorecardTest, JsonHoldsEveryRowWithItsText) {
  const base::Json json = ScorecardToJson(Assess(HealthyMachine()));
  const base::Json* rows = base::Find(json, "scorecard");
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(rows->get_array().size(), 38U);
  for (const base::Json& row : rows->get_array()) {
    EXPECT_TRUE(JudgementFromJson(row).ok());
    EXPECT_TRUE(base::GetString(row, "remedy").ok());
  }
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

}  // namespace
}  // namespace ashlar::assess
