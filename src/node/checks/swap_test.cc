#include "node/checks/swap.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Swap(const std::string& lines) {
  return {{"/proc/meminfo", "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 20 kB\n" + lines}};
}

TEST(Swap, Cases) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "meminfo"},
      {"malformed", Swap("SwapTotal: x kB\nSwapFree: 1 kB\n"), "", Verdict::kUnknown, ""},
      {"lines missing", Swap(""), "", Verdict::kUnknown, "SwapTotal"},
      {"impossible", Swap("SwapTotal: 10 kB\nSwapFree: 11 kB\n"), "", Verdict::kUnknown, ""},
      {"no swap", Swap("SwapTotal: 0 kB\nSwapFree: 0 kB\n"), "", Verdict::kPass, ""},
      {"at the limit of 10 %", Swap("SwapTotal: 1000 kB\nSwapFree: 900 kB\n"), "", Verdict::kPass, ""},
      {"over the limit", Swap("SwapTotal: 1000 kB\nSwapFree: 899 kB\n"), "", Verdict::kFail, "10.1 %"},
      {"none may be used", Swap("SwapTotal: 1000 kB\nSwapFree: 999 kB\n"), "swap_used_share: 0", Verdict::kFail, ""},
  };
  ExpectCases(&CheckSwap, cases);
}

}  // namespace
}  // namespace ashlar::node
