#include "node/checks/required_mounts.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

TEST(RequiredMounts, Cases) {
  const Files files = {{"/proc/self/mountinfo",
                        "22 1 254:1 / / rw - ext4 /dev/vda1 rw\n"
                        "23 22 0:40 / /scratch\\040one rw - lustre mgs:/fs rw\n"}};
  const std::vector<CheckCase> cases = {
      {"nothing required", files, "", Verdict::kNotApplicable, "node.mounts"},
      {"an empty list", files, "mounts: []", Verdict::kNotApplicable, "node.mounts"},
      {"missing file", {}, "mounts: [/]", Verdict::kUnknown, "mountinfo"},
      {"malformed", {{"/proc/self/mountinfo", "x"}}, "mounts: [/]", Verdict::kUnknown, ""},
      {"mounted", files, "mounts: [/, \"/scratch one\"]", Verdict::kPass, ""},
      {"not mounted", files, "mounts: [/, /scratch]", Verdict::kFail, "not mounted: /scratch"},
  };
  ExpectCases(&CheckRequiredMounts, cases);
}

}  // namespace
}  // namespace ashlar::node
