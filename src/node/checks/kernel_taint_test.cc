#include "node/checks/kernel_taint.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Taint(const std::string& mask) { return {{"/proc/sys/kernel/tainted", mask}}; }

TEST(KernelTaint, Cases) {
  // Bits as in Documentation/admin-guide/tainted-kernels.rst: 0 proprietary (1), 4 machine check (16), 7 oops (128),
  // 12 out-of-tree (4096), 14 soft lockup (16384).
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "tainted"},
      {"malformed", Taint("0x10"), "", Verdict::kUnknown, "no mask"},
      {"negative", Taint("-1"), "", Verdict::kUnknown, "no mask"},
      {"clean", Taint("0\n"), "", Verdict::kPass, ""},
      {"NVIDIA's module is no fault", Taint("4097\n"), "", Verdict::kPass, ""},
      {"machine check", Taint("17\n"), "", Verdict::kFail, "machine check"},
      {"oops and soft lockup", Taint("16512\n"), "", Verdict::kFail, "oops, soft lockup"},
      {"highest bit", Taint("9223372036854775808\n"), "", Verdict::kPass, ""},
      {"other bits in the configuration", Taint("1\n"), "kernel_taint_bits: [0]", Verdict::kFail, "proprietary"},
      {"no such bit", Taint("1\n"), "kernel_taint_bits: [64]", Verdict::kUnknown, "no bit"},
  };
  ExpectCases(&CheckKernelTaint, cases);
}

}  // namespace
}  // namespace ashlar::node
