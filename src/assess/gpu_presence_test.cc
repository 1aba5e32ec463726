#include "assess/gpu_presence.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

struct Row {
  const char* name;
  const char* identity;
  bool known;
  size_t nvidia;
  size_t amd;
};

TEST(GpuPresenceTest, CountsWhatTheDriversAnswered) {
  const Row rows[] = {
      {"none", R"({"gpu_inventories": [], "unknowns": []})", true, 0, 0},
      {"both vendors",
       R"({"gpu_inventories": [{"vendor": "nvidia", "gpus": [{}, {}]}, {"vendor": "amd", "gpus": [{}]}],
           "unknowns": []})",
       true, 2, 1},
      {"one value unread", R"({"gpu_inventories": [{"vendor": "nvidia", "gpus": [{}]}],
           "unknowns": [{"field": "gpu_inventories.nvidia.gpus.0.power_watts", "reason": "not supported"}]})",
       true, 1, 0},
      {"driver silent", R"({"gpu_inventories": [],
           "unknowns": [{"field": "gpu_inventories.nvidia", "reason": "driver not loaded"}]})",
       false, 0, 0},
      {"no list of unknowns", R"({"gpu_inventories": []})", false, 0, 0},
      {"malformed", R"({"gpu_inventories": {}})", false, 0, 0},
  };
  for (const Row& row : rows) {
    Evidence evidence = NoEvidence();
    evidence.Add(TestEntry(0, "node.identity", row.identity));
    const GpuPresence gpus = FindGpus(evidence);
    EXPECT_EQ(gpus.known, row.known) << row.name;
    EXPECT_EQ(gpus.nvidia, row.nvidia) << row.name;
    EXPECT_EQ(gpus.amd, row.amd) << row.name;
    EXPECT_EQ(gpus.reason.empty(), row.known) << row.name;
  }
  EXPECT_EQ(FindGpus(NoEvidence()).identity, nullptr);
}

}  // namespace
}  // namespace ashlar::assess
