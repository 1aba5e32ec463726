#include "node/checks/load.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Load(const std::string& load, const std::string& online) {
  return {{"/proc/loadavg", load}, {"/sys/devices/system/cpu/online", online}};
}

TEST(Load, Cases) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "loadavg"},
      {"malformed", Load("much\n", "0-1"), "", Verdict::kUnknown, ""},
      {"processors malformed", Load("0.1 0.2 0.3 1/80 11\n", "?"), "", Verdict::kUnknown, ""},
      {"idle", Load("0.20 0.18 0.12 1/80 11206\n", "0-1\n"), "", Verdict::kPass, ""},
      {"at the limit of 2 each", Load("9.00 4.00 0.12 1/80 11206\n", "0-1\n"), "", Verdict::kPass, ""},
      {"over the limit", Load("0.20 4.01 0.12 1/80 11206\n", "0-1\n"), "", Verdict::kFail, "2 processors"},
      {"stricter in the configuration", Load("0 1.00 0 1/80 1\n", "0-1\n"), "load_per_processor: 0.4", Verdict::kFail,
       ""},
  };
  ExpectCases(&CheckLoad, cases);
}

}  // namespace
}  // namespace ashlar::node
