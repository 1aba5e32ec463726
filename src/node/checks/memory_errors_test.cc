#include "node/checks/memory_errors.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

constexpr std::string_view kBare = "processor\t: 0\nmodel name\t: a\nflags\t\t: fpu vme\n";
constexpr std::string_view kVirtual = "processor\t: 0\nmodel name\t: a\nflags\t\t: fpu vme hypervisor\n";

Files Controller(int number, const std::string& corrected, const std::string& uncorrected) {
  const std::string folder = fmt::format("/sys/devices/system/edac/mc/mc{}", number);
  return {{folder + "/ce_count", corrected}, {folder + "/ue_count", uncorrected}};
}

Files Two(const Files& first, const Files& second) {
  Files both = first;
  both.insert(second.begin(), second.end());
  return both;
}

TEST(MemoryErrors, Cases) {
  const std::vector<CheckCase> cases = {
      {"nothing readable", {}, "", Verdict::kUnknown, "cpuinfo"},
      {"bare metal without EDAC", {{"/proc/cpuinfo", std::string(kBare)}}, "", Verdict::kUnknown, "modprobe"},
      {"virtual machine", {{"/proc/cpuinfo", std::string(kVirtual)}}, "", Verdict::kNotApplicable, "host"},
      {"count malformed", Controller(0, "many", "0"), "", Verdict::kUnknown, "ce_count"},
      {"count negative", Controller(0, "-1", "0"), "", Verdict::kUnknown, "no count"},
      {"count missing", {{"/sys/devices/system/edac/mc/mc0/ce_count", "0"}}, "", Verdict::kUnknown, "ue_count"},
      {"no error", Controller(0, "0\n", "0\n"), "", Verdict::kPass, ""},
      {"at the limit of 1000 over both", Two(Controller(0, "600", "0"), Controller(1, "400", "0")), "", Verdict::kPass,
       ""},
      {"over the limit", Two(Controller(0, "600", "0"), Controller(1, "401", "0")), "", Verdict::kFail,
       "1001 corrected"},
      {"one uncorrected", Two(Controller(0, "0", "0"), Controller(1, "0", "1")), "", Verdict::kFail, "1 uncorrected"},
      {"limit in the configuration", Controller(0, "8", "0"), "memory_corrected_errors: 7", Verdict::kFail,
       "8 corrected"},
      {"only the folder of power files",
       {{"/sys/devices/system/edac/mc/power/x", "1"}, {"/proc/cpuinfo", std::string(kVirtual)}},
       "",
       Verdict::kNotApplicable,
       "host"},
  };
  ExpectCases(&CheckMemoryErrors, cases);
}

TEST(MemoryErrors, RefusesMoreControllersThanTheLimit) {
  FakeMachine machine;
  for (size_t number = 0; number < kMaxMemoryControllers; ++number) {
    machine.tree.WriteAll(Controller(static_cast<int>(number), "0", "0"));
  }
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckMemoryErrors)).verdict, Verdict::kPass);
  machine.tree.WriteAll(Controller(static_cast<int>(kMaxMemoryControllers), "0", "0"));
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckMemoryErrors)).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::node
