#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

constexpr const char* kOneGpu = R"({"gpu_inventories": [{"vendor": "nvidia", "gpus": [{}]}], "unknowns": []})";

struct Row {
  const char* name;
  const char* identity;
  const char* check_id;
  const char* check_verdict;
  Verdict verdict;
};

TEST(PerfGpuClocksTest, Verdicts) {
  const Row rows[] = {
      {"no GPU", R"({"gpu_inventories": [], "unknowns": []})", "gpu-throttling", "pass", Verdict::kNotApplicable},
      {"throttled", kOneGpu, "gpu-throttling", "fail", Verdict::kFail},
      {"idle and calm", kOneGpu, "gpu-throttling", "pass", Verdict::kUnknown},
      {"driver did not answer",
       R"({"gpu_inventories": [], "unknowns": [{"field": "gpu_inventories.nvidia", "reason": "driver not loaded"}]})",
       "gpu-throttling", "pass", Verdict::kUnknown},
      {"malformed identity", R"({})", "gpu-throttling", "pass", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "node.identity", row.identity));
    evidence.Add(TestEntry(1, "node.check", CheckBody(row.check_id, row.check_verdict)));
    EXPECT_EQ(kPerfGpuClocks.judge(evidence).verdict, row.verdict) << row.name;
  }
}

TEST(PerfGpuClocksTest, GpuThatWasNotCheckedIsUnknown) {
  Evidence evidence = NoEvidence();
  EXPECT_EQ(kPerfGpuClocks.judge(evidence).verdict, Verdict::kUnknown);
  evidence.Add(TestEntry(0, "node.identity", kOneGpu));
  EXPECT_EQ(kPerfGpuClocks.judge(evidence).command, "ashlar check");
  evidence.Add(TestEntry(1, "node.check", R"({"findings": "none"})"));
  EXPECT_EQ(kPerfGpuClocks.judge(evidence).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
