#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

struct Row {
  const char* name;
  const char* identity;
  Verdict verdict;
};

TEST(BenchRcclTest, Verdicts) {
  const Row rows[] = {
      {"no GPU", R"({"gpu_inventories": [], "unknowns": []})", Verdict::kNotApplicable},
      {"NVIDIA only", R"({"gpu_inventories": [{"vendor": "nvidia", "gpus": [{}]}], "unknowns": []})",
       Verdict::kNotApplicable},
      {"AMD", R"({"gpu_inventories": [{"vendor": "amd", "gpus": [{}]}], "unknowns": []})", Verdict::kUnknown},
      {"library failed", R"({"gpu_inventories": [], "unknowns": [
                             {"field": "gpu_inventories.amd", "reason": "no answer"}]})",
       Verdict::kUnknown},
      {"malformed", R"({"gpu_inventories": 8})", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "node.identity", row.identity));
    EXPECT_EQ(kBenchRccl.judge(evidence).verdict, row.verdict) << row.name;
  }
  EXPECT_EQ(kBenchRccl.judge(NoEvidence()).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
