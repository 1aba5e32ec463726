#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

std::string StorageBody(const char* demand, const char* id, const char* verdict) {
  return std::string(R"({"runs": [], "demand": )") + demand + ", " + CheckBody(id, verdict).substr(1);
}

struct Row {
  const char* name;
  std::string body;
  Verdict verdict;
};

TEST(PerfScratchTest, Verdicts) {
  const Row rows[] = {
      {"met", StorageBody("{}", "loading-rate", "pass"), Verdict::kPass},
      {"not met", StorageBody("{}", "loading-rate", "fail"), Verdict::kFail},
      {"could not be measured", StorageBody("{}", "loading-rate", "unknown"), Verdict::kUnknown},
      {"no demand", R"({"runs": [], "demand": null, "findings": []})", Verdict::kUnknown},
      {"malformed findings", R"({"runs": [], "demand": {}, "findings": [1]})", Verdict::kUnknown},
      {"no findings", R"({"runs": [], "demand": {}})", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "bench.storage", row.body));
    const Judgement judgement = kPerfScratch.judge(evidence);
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name << ": " << judgement.reason;
    EXPECT_FALSE(judgement.reason.empty()) << row.name;
  }
}

TEST(PerfScratchTest, NothingMeasuredIsUnknownAndNamesTheCommand) {
  const Judgement judgement = kPerfScratch.judge(NoEvidence());
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_TRUE(judgement.command.starts_with("ashlar bench storage")) << judgement.command;
}

}  // namespace
}  // namespace ashlar::assess
