#include "node/checks/read_only_mounts.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Mounts(const std::string& text) { return {{"/proc/self/mountinfo", text}}; }

TEST(ReadOnlyMounts, Cases) {
  const std::string root = "22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n";
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "mountinfo"},
      {"malformed", Mounts(root + "rubbish\n"), "", Verdict::kUnknown, ""},
      {"no disk", Mounts("22 1 0:1 / / ro - tmpfs tmpfs ro\n"), "", Verdict::kNotApplicable, ""},
      {"writable", Mounts(root), "", Verdict::kPass, ""},
      {"errors remounted it", Mounts("22 1 254:1 / / ro,relatime - ext4 /dev/vda1 ro\n"), "", Verdict::kFail, "/ is"},
      {"file system read-only below a writable mount", Mounts("22 1 254:1 / / rw - ext4 /dev/vda1 ro\n"), "",
       Verdict::kFail, "/ is"},
      {"snap is read-only by nature", Mounts(root + "30 22 7:1 / /snap/core/1 ro - ext4 /dev/loop1 ro\n"), "",
       Verdict::kPass, ""},
      {"images do not count", Mounts(root + "30 22 7:1 / /mnt ro - squashfs /dev/loop1 ro\n"), "", Verdict::kPass, ""},
      {"allowed in the configuration", Mounts(root + "30 22 254:2 / /data/set ro - xfs /dev/vdb ro\n"),
       "read_only_allowed: [\"/data/*\"]", Verdict::kPass, ""},
      {"not allowed", Mounts(root + "30 22 254:2 / /data/set ro - xfs /dev/vdb ro\n"), "", Verdict::kFail, "/data/set"},
  };
  ExpectCases(&CheckReadOnlyMounts, cases);
}

}  // namespace
}  // namespace ashlar::node
