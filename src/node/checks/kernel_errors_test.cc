#include "node/checks/kernel_errors.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

constexpr size_t kClasses = 6;

// Up for 100,000 s (27.8 h): the window of 24 h begins at 13,600 s.
Files Log(const std::string& log) { return {{"/proc/uptime", "100000.00 1.00\n"}, {"/dev/kmsg", log}}; }

std::map<std::string, base::Finding> Check(const FakeMachine& machine, const std::string& node_yaml = "") {
  std::map<std::string, base::Finding> findings;
  for (auto& finding : machine.Run(&CheckKernelErrors, node_yaml)) findings.emplace(finding.id, finding);
  EXPECT_EQ(findings.size(), kClasses);
  return findings;
}

TEST(KernelErrors, WhatCannotBeReadIsUnknownInEveryClass) {
  const std::vector<CheckCase> cases = {
      {"nothing", {}, "", Verdict::kUnknown, "uptime"},
      {"no log and not permitted", {{"/proc/uptime", "1.0 1.0"}}, "", Verdict::kUnknown, "dmesg_restrict"},
      {"empty log", Log(""), "", Verdict::kUnknown, ""},
      {"rubbish", Log("one\ntwo\n"), "", Verdict::kUnknown, "none of 2 lines"},
      {"uptime malformed", {{"/proc/uptime", "?"}, {"/dev/kmsg", "6,0,1,-;x\n"}}, "", Verdict::kUnknown, "uptime"},
      {"one line that cannot be read", Log("6,0,1,-;fine\nrubbish\n"), "", Verdict::kUnknown, "1 lines"},
      {"quiet", Log("6,0,1,-;fine\n"), "", Verdict::kPass, ""},
  };
  ExpectCases(&CheckKernelErrors, cases);
}

TEST(KernelErrors, AnEventFailsItsOwnClassOnly) {
  auto findings = Check(FakeMachine(
      Log("6,0,1,-;fine\n3,1,99000000000,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"
          "3,2,99500000000,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n")));
  const auto& gpu = findings["kernel-errors-gpu"];
  EXPECT_EQ(gpu.verdict, Verdict::kFail);
  EXPECT_NE(gpu.reason.find("2 times xid-79 on PCI:0000:3b:00"), std::string::npos) << gpu.reason;
  ASSERT_EQ(gpu.value.get_array().size(), 1U);
  const auto& event = gpu.value.get_array()[0];
  EXPECT_EQ(*base::GetInt(event, "count"), 2);
  // The clock stands at 1,800,000,000 s, 100,000 s after the boot: 99,000 s after the boot is 1,000 s ago.
  EXPECT_EQ(*base::GetString(event, "first_seen"), base::Rfc3339(absl::FromUnixSeconds(1'799'999'000)));
  EXPECT_EQ(*base::GetString(event, "last_seen"), base::Rfc3339(absl::FromUnixSeconds(1'799'999'500)));
  EXPECT_EQ(findings["kernel-errors-disk"].verdict, Verdict::kPass);
  EXPECT_EQ(findings["kernel-errors-machine-check"].verdict, Verdict::kPass);
}

TEST(KernelErrors, EventsAreNoStickyGauge) {
  const std::string log = "6,0,1,-;fine\n3,1,13599000000,-;EXT4-fs error (device sda1): old\n";
  EXPECT_EQ(Check(FakeMachine(Log(log)))["kernel-errors-disk"].verdict, Verdict::kPass);
  EXPECT_EQ(Check(FakeMachine(Log(log)), "kernel_log_window_hours: 0")["kernel-errors-disk"].verdict, Verdict::kFail);
  EXPECT_EQ(Check(FakeMachine(Log(log)), "kernel_log_window_hours: 48")["kernel-errors-disk"].verdict, Verdict::kFail);
}

TEST(KernelErrors, WhatIsNotedDoesNotFailTheMachine) {
  auto findings = Check(FakeMachine(Log("6,0,1,-;fine\n3,1,99000000000,-;NVRM: Xid (PCI:0000:3b:00): 13, pid=1\n")));
  EXPECT_EQ(findings["kernel-errors-gpu"].verdict, Verdict::kPass);
  EXPECT_EQ(findings["kernel-errors-gpu"].value.get_array().size(), 1U);
}

TEST(KernelErrors, AnXidThatNobodyListsIsUnknown) {
  auto findings = Check(FakeMachine(Log("6,0,1,-;fine\n3,1,99000000000,-;NVRM: Xid (PCI:0000:3b:00): 999, pid=1\n")));
  EXPECT_EQ(findings["kernel-errors-gpu"].verdict, Verdict::kUnknown);
  EXPECT_NE(findings["kernel-errors-gpu"].reason.find("xid-999"), std::string::npos);
}

TEST(KernelErrors, SaysWhenTheLogBeginsLaterThanTheWindow) {
  auto findings = Check(FakeMachine(Log("6,70,99000000000,-;fine\n")));
  EXPECT_NE(findings["kernel-errors-gpu"].expectation.find("begins later"), std::string::npos);
}

TEST(KernelErrors, FallsBackToSyslog) {
  FakeMachine machine(Files{{"/proc/uptime", "100000.00 1.00\n"}});
  machine.kernel.kernel_log = std::string("<3>[99000.000000] Out of memory: Killed process 1 (x)\n");
  EXPECT_EQ(Check(machine)["kernel-errors-out-of-memory"].verdict, Verdict::kFail);
}

TEST(KernelErrors, ListsAtMostSoManyKinds) {
  std::string log;
  for (size_t gpu = 0; gpu <= kMaxKernelEvents; ++gpu) {
    log += fmt::format("3,{},99000000000,-;NVRM: Xid (PCI:{:04x}:00:00): 79, x\n", gpu, gpu);
  }
  auto findings = Check(FakeMachine(Log(log)));
  EXPECT_EQ(findings["kernel-errors-gpu"].value.get_array().size(), kMaxKernelEvents);
  EXPECT_NE(findings["kernel-errors-gpu"].reason.find("65 kinds in all"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::node
