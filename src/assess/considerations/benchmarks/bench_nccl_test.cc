#include <gtest/gtest.h>

#include "assess/considerations/considerations.h"
#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

using base::Verdict;

TEST(BenchNcclTest, MachineWithoutGpuIsJudgedOverMpi) {
  EXPECT_EQ(kBenchNccl.judge(HealthyMachine()).verdict, Verdict::kPass);
}

TEST(BenchNcclTest, GpusAreNeverJudgedByAnMpiResult) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(50, "node.identity",
                         R"({"gpu_inventories": [{"vendor": "nvidia", "gpus": [{}, {}]}], "unknowns": []})"));
  EXPECT_EQ(kBenchNccl.judge(evidence).verdict, Verdict::kUnknown);
  evidence.Add(
      TestEntry(51, "node.identity", R"({"gpu_inventories": [{"vendor": "amd", "gpus": [{}]}], "unknowns": []})"));
  EXPECT_EQ(kBenchNccl.judge(evidence).verdict, Verdict::kNotApplicable);
}

TEST(BenchNcclTest, UnrecordedOrUnreadableMachineIsUnknown) {
  EXPECT_EQ(kBenchNccl.judge(NoEvidence()).verdict, Verdict::kUnknown);
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(50, "node.identity", R"({"gpu_inventories": [], "unknowns": [
                         {"field": "gpu_inventories.nvidia", "reason": "driver not loaded"}]})"));
  const Judgement judgement = kBenchNccl.judge(evidence);
  EXPECT_EQ(judgement.verdict, Verdict::kUnknown);
  EXPECT_EQ(judgement.reason, "driver not loaded");
}

}  // namespace
}  // namespace ashlar::assess
