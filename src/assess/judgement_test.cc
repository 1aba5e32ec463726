#include "assess/judgement.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/limits.h"

namespace ashlar::assess {
namespace {

using base::Finding;
using base::Verdict;

Finding Named(std::string id, Verdict verdict) {
  Finding finding;
  finding.id = std::move(id);
  finding.verdict = verdict;
  return finding;
}

struct Row {
  const char* name;
  std::vector<Finding> findings;
  Verdict verdict;
  const char* reason;
  const char* path;
};

TEST(JudgementTest, FromFindingsTakesTheWorstAndNamesIt) {
  const Row rows[] = {
      {"none", {}, Verdict::kUnknown, "nothing was checked", "findings"},
      {"all pass", {Named("a", Verdict::kPass), Named("b", Verdict::kPass)}, Verdict::kPass, "2 passed", "findings"},
      {"one fails",
       {Named("a", Verdict::kPass), Named("b", Verdict::kFail)},
       Verdict::kFail,
       "1 failed: b",
       "findings[1]"},
      {"unknown beats pass",
       {Named("a", Verdict::kUnknown), Named("b", Verdict::kPass)},
       Verdict::kUnknown,
       "1 could not be answered: a",
       "findings[0]"},
      {"only what does not apply",
       {Named("a", Verdict::kNotApplicable)},
       Verdict::kUnknown,
       "nothing was checked",
       "findings"},
  };
  for (const Row& row : rows) {
    const Judgement judgement = FromFindings(row.findings, TestEntry(4, "node.check", "{}"), "ashlar check");
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name;
    EXPECT_EQ(judgement.reason, row.reason) << row.name;
    ASSERT_EQ(judgement.pointers.size(), 1U);
    EXPECT_EQ(judgement.pointers[0].sequence, 4U);
    EXPECT_EQ(judgement.pointers[0].path, row.path) << row.name;
  }
}

TEST(JudgementTest, ListNamesStopsAtTheLimit) {
  std::vector<std::string> names(kMaxNamesInReason, "x");
  EXPECT_EQ(ListNames(names).find("more"), std::string::npos);
  names.push_back("y");
  EXPECT_TRUE(ListNames(names).ends_with(" and 1 more"));
}

TEST(JudgementTest, NotInThisVersionSaysThatTheCommandIsNotThere) {
  const Judgement judgement = NotInThisVersion("No scan.", "ashlar fleet scan");
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_EQ(judgement.command, "ashlar fleet scan");
  EXPECT_FALSE(judgement.command_exists);
  EXPECT_EQ(judgement.reason, "No scan.");
}

TEST(JudgementTest, JsonReadsBackWhatWasWritten) {
  Judgement judgement =
      FromFindings(std::vector<Finding>{Named("a", Verdict::kFail)}, TestEntry(4, "node.check", "{}"), "ashlar check");
  judgement.expectation = ">= 1";
  const auto read = JudgementFromJson(JudgementToJson(judgement));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(base::WriteJson(JudgementToJson(*read)), base::WriteJson(JudgementToJson(judgement)));
}

TEST(JudgementTest, MalformedJsonIsRefused) {
  const base::Json good = JudgementToJson(Unknown("why", "how"));
  ASSERT_TRUE(JudgementFromJson(good).ok());
  for (const char* key : {"verdict", "grade", "unit", "expectation", "expectation_source", "reason", "command",
                          "command_exists", "evidence"}) {
    base::Json missing = good;
    missing.as_object().erase(key);
    EXPECT_EQ(JudgementFromJson(missing).status().code(), base::StatusCode::kInvalidArgument) << key;
    base::Json wrong = good;
    wrong.as_object()[key] = 7;
    EXPECT_EQ(JudgementFromJson(wrong).status().code(), base::StatusCode::kInvalidArgument) << key;
  }
}

}  // namespace
}  // namespace ashlar::assess
