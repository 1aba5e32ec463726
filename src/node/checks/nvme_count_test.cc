#include "node/checks/nvme_count.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Disks(const std::vector<std::string>& states) {
  Files files;
  for (size_t index = 0; index < states.size(); ++index) {
    files[fmt::format("/sys/class/nvme/nvme{}/state", index)] = states[index];
  }
  return files;
}

TEST(NvmeCount, Cases) {
  const std::vector<std::string> eight(8, "live\n");
  const std::vector<std::string> seven(7, "live\n");
  const std::vector<CheckCase> cases = {
      {"none, none expected", {}, "", Verdict::kNotApplicable, "node.nvme_count"},
      {"some, none expected", Disks(seven), "", Verdict::kNotApplicable, "node.nvme_count"},
      {"state missing", {{"/sys/class/nvme/nvme0/model", "x"}}, "nvme_count: 1", Verdict::kUnknown, "state"},
      {"all there", Disks(eight), "size: Standard_ND96isr_H100_v5", Verdict::kPass, ""},
      {"one missing", Disks(seven), "size: Standard_ND96isr_H100_v5", Verdict::kFail, "1 NVMe disks are missing"},
      {"none there", {}, "nvme_count: 2", Verdict::kFail, "2 NVMe disks are missing"},
      {"one is dead, even if none is expected", Disks({"live", "dead"}), "", Verdict::kFail, "nvme1 (dead)"},
  };
  ExpectCases(&CheckNvmeCount, cases);
}

}  // namespace
}  // namespace ashlar::node
