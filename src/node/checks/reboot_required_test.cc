#include "node/checks/reboot_required.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Kernels(const std::string& running, const std::vector<std::string>& installed) {
  Files files = {{"/proc/sys/kernel/osrelease", running}};
  for (const auto& release : installed) files["/boot/vmlinuz-" + release] = "";
  return files;
}

Files Marked(Files files) {
  files["/run/reboot-required"] = "*** System restart required ***\n";
  return files;
}

TEST(RebootRequired, Cases) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "osrelease"},
      {"empty", Kernels("\n", {"6.1.0-25-amd64"}), "", Verdict::kUnknown, "empty"},
      {"kernel of a host", Kernels("6.18.44", {}), "", Verdict::kNotApplicable, "/boot"},
      {"other flavour only", Kernels("6.1.0-25-cloud-amd64", {"6.1.0-26-amd64"}), "", Verdict::kNotApplicable, ""},
      {"newest runs", Kernels("6.1.0-25-amd64\n", {"6.1.0-9-amd64", "6.1.0-25-amd64"}), "", Verdict::kPass, ""},
      {"newer is installed", Kernels("6.1.0-9-amd64\n", {"6.1.0-9-amd64", "6.1.0-25-amd64"}), "", Verdict::kFail,
       "6.1.0-25-amd64 is installed"},
      {"newer minor, fewer digits", Kernels("5.15.0-1064-azure", {"5.15.0-1064-azure", "6.8.0-1008-azure"}), "",
       Verdict::kFail, "6.8.0-1008-azure"},
      {"runs a newer one than installed", Kernels("6.8.0-1008-azure", {"5.15.0-1064-azure"}), "", Verdict::kPass, ""},
      {"asked for", Marked(Kernels("6.1.0-25-amd64", {"6.1.0-25-amd64"})), "", Verdict::kFail, "reboot-required.pkgs"},
  };
  ExpectCases(&CheckRebootRequired, cases);
}

}  // namespace
}  // namespace ashlar::node
