#include "node/checks/cpu_count.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Cpus(const std::string& present, const std::string& online) {
  return {{"/sys/devices/system/cpu/present", present}, {"/sys/devices/system/cpu/online", online}};
}

TEST(CpuCount, Cases) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "online"},
      {"malformed", Cpus("0-3", "0-x"), "", Verdict::kUnknown, ""},
      {"empty", Cpus("0-3", "\n"), "", Verdict::kUnknown, "empty"},
      {"present malformed", Cpus("4-0", "0-3"), "", Verdict::kUnknown, ""},
      {"present missing", {{"/sys/devices/system/cpu/online", "0-3"}}, "", Verdict::kUnknown, "present"},
      {"all online", Cpus("0-3\n", "0-3\n"), "", Verdict::kPass, ""},
      {"one offline", Cpus("0-3", "0-1,3"), "", Verdict::kFail, "1 processors are offline"},
      {"as the size has it", Cpus("0-95", "0-95"), "size: Standard_ND96isr_H100_v5", Verdict::kPass, ""},
      {"fewer than the size has", Cpus("0-94", "0-94"), "size: Standard_ND96isr_H100_v5", Verdict::kFail, "95"},
      {"more than stated", Cpus("0-3", "0-3"), "cpu_count: 2", Verdict::kFail, "4 processors"},
  };
  ExpectCases(&CheckCpuCount, cases);
}

}  // namespace
}  // namespace ashlar::node
