#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

struct Row {
  const char* name;
  std::string body;
  Verdict verdict;
};

TEST(BenchNodeHealthTest, WorstCheckSpeaksForTheMachine) {
  const Row rows[] = {
      {"passes", CheckBody("memory-amount", "pass"), Verdict::kPass},
      {"fails", CheckBody("memory-amount", "fail"), Verdict::kFail},
      {"unknown", CheckBody("memory-amount", "unknown"), Verdict::kUnknown},
      {"no findings", R"({"findings": []})", Verdict::kUnknown},
      {"malformed", R"({"findings": [{"id": "memory-amount"}]})", Verdict::kUnknown},
      {"unheard-of verdict", CheckBody("memory-amount", "splendid"), Verdict::kUnknown},
      {"missing", R"({})", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "node.identity", IdentityBody()));
    evidence.Add(TestEntry(1, "node.check", row.body));
    const Judgement judgement = kBenchNodeHealth.judge(evidence);
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name << ": " << judgement.reason;
  }
}

TEST(BenchNodeHealthTest, CheckBeforeTheLastBootDoesNotCount) {
  Evidence evidence = NoEvidence();
  evidence.Add(TestEntry(0, "node.check", CheckBody("memory-amount", "pass")));
  evidence.Add(TestEntry(1, "node.identity", R"({"boot": {"time": "2026-01-02T03:04:04.000000Z"}})"));
  EXPECT_EQ(kBenchNodeHealth.judge(evidence).verdict, Verdict::kUnknown);
}

TEST(BenchNodeHealthTest, OneSickOrUncheckedMachineOutweighsTheHealthy) {
  Evidence evidence = HealthyMachine();
  EXPECT_EQ(kBenchNodeHealth.judge(evidence).verdict, Verdict::kPass);
  ledger::Entry other = TestEntry(90, "node.identity", IdentityBody());
  other.subject = "node-2";
  evidence.Add(other);
  EXPECT_EQ(kBenchNodeHealth.judge(evidence).verdict, Verdict::kUnknown);
  other = TestEntry(91, "node.check", CheckBody("gpu-count", "fail"));
  other.subject = "node-2";
  evidence.Add(other);
  EXPECT_EQ(kBenchNodeHealth.judge(evidence).verdict, Verdict::kFail);
}

}  // namespace
}  // namespace ashlar::assess
