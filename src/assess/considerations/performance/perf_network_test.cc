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

TEST(PerfNetworkTest, Verdicts) {
  const Row rows[] = {
      {"function carries traffic",
       R"({"virtualisation": {"is_virtual": true}, "nics": [{"name": "enP1", "driver": "mlx5_core",
           "is_virtual_function": true, "carries_traffic": true}]})",
       Verdict::kPass},
      {"function is idle",
       R"({"virtualisation": {"is_virtual": true}, "nics": [{"name": "enP1", "driver": "mlx5_core",
           "is_virtual_function": true, "carries_traffic": false}]})",
       Verdict::kUnknown},
      {"function does not say",
       R"({"virtualisation": {"is_virtual": true}, "nics": [{"name": "enP1", "driver": "mlx5_core",
           "is_virtual_function": true, "carries_traffic": null}]})",
       Verdict::kUnknown},
      {"Azure without a function",
       R"({"virtualisation": {"is_virtual": true}, "azure": {"size": "Standard_ND96isr_H100_v5"},
           "nics": [{"name": "eth0", "driver": "hv_netvsc", "is_virtual_function": false}]})",
       Verdict::kFail},
      {"other provider without a function",
       R"({"virtualisation": {"is_virtual": true}, "azure": null,
           "nics": [{"name": "eth0", "driver": "virtio_net", "is_virtual_function": false}]})",
       Verdict::kUnknown},
      {"bare metal", R"({"virtualisation": {"is_virtual": false}, "nics": []})", Verdict::kNotApplicable},
      {"not known whether virtual", R"({"virtualisation": {"is_virtual": null}, "nics": []})", Verdict::kUnknown},
      {"no interfaces", R"({"virtualisation": {"is_virtual": true}})", Verdict::kUnknown},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "node.identity", row.identity));
    const Judgement judgement = kPerfNetwork.judge(evidence);
    EXPECT_EQ(judgement.verdict, row.verdict) << row.name << ": " << judgement.reason;
  }
  EXPECT_EQ(kPerfNetwork.judge(NoEvidence()).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::assess
