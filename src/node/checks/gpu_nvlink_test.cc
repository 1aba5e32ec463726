#include "node/checks/gpu_nvlink.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

std::vector<GpuLink> Links(uint32_t active, uint32_t all) {
  std::vector<GpuLink> links;
  for (uint32_t index = 0; index < all; ++index) links.push_back({.index = index, .active = index < active});
  return links;
}

struct LinksCase {
  std::string name;
  std::optional<std::vector<GpuLink>> first;
  std::optional<std::vector<GpuLink>> second;
  std::string node_yaml;
  Verdict verdict;
  std::string reason;
};

TEST(GpuNvlink, Cases) {
  const std::string nc = "size: Standard_NC80adis_H100_v5";  // 12 of 18 by design: Azure/azurehpc-health-checks #162
  const std::vector<LinksCase> cases = {
      {"all active", Links(18, 18), Links(18, 18), "", Verdict::kPass, ""},
      {"one link down on one GPU", Links(18, 18), Links(17, 18), "", Verdict::kFail, "17 of 18"},
      {"12 of 18 where that is the design", Links(12, 18), Links(12, 18), nc, Verdict::kPass, ""},
      {"11 of 18 where 12 is the design", Links(12, 18), Links(11, 18), nc, Verdict::kFail, "11 of 18"},
      {"12 of 18 and nothing known", Links(12, 18), Links(12, 18), "", Verdict::kUnknown, "node.gpu_nvlink_count"},
      {"as stated", Links(4, 4), Links(4, 4), "gpu_nvlink_count: 4", Verdict::kPass, ""},
      {"no links where some are expected", Links(0, 0), Links(0, 0), "gpu_nvlink_count: 18", Verdict::kFail, "0 of 0"},
      {"no links at all", Links(0, 0), Links(0, 0), "", Verdict::kNotApplicable, "no NVLink"},
      {"links not told", Links(18, 18), std::nullopt, "", Verdict::kUnknown, "GPU 1"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine(NvidiaOnPci(2));
    GpuInventory inventory = HealthyGpus(2);
    inventory.gpus[0].links = row.first;
    inventory.gpus[1].links = row.second;
    machine.gpus.insert({GpuVendor::kNvidia, inventory});
    const auto finding = OnlyFinding(machine.Run(&CheckGpuNvlink, row.node_yaml));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

}  // namespace
}  // namespace ashlar::node
