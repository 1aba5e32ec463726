#include "node/checks/numa_balancing.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

Files Numa(const std::string& nodes, const std::string& setting) {
  return {{"/sys/devices/system/node/online", nodes}, {"/proc/sys/kernel/numa_balancing", setting}};
}

TEST(NumaBalancing, Cases) {
  const std::string off = "numa_balancing: [0]";
  const std::vector<CheckCase> cases = {
      {"no NUMA", {}, off, Verdict::kNotApplicable, "one NUMA node"},
      {"one node", Numa("0\n", "1\n"), off, Verdict::kNotApplicable, "one NUMA node"},
      {"nodes malformed", Numa("0-x\n", "0\n"), off, Verdict::kUnknown, ""},
      {"nodes empty", Numa("\n", "0\n"), off, Verdict::kUnknown, "empty"},
      {"kernel does not balance",
       {{"/sys/devices/system/node/online", "0-1\n"}},
       off,
       Verdict::kNotApplicable,
       "by itself"},
      {"malformed", Numa("0-1\n", "on\n"), off, Verdict::kUnknown, "on"},
      {"negative", Numa("0-1\n", "-1\n"), off, Verdict::kUnknown, "no setting"},
      {"nothing expected", Numa("0-1\n", "1\n"), "", Verdict::kNotApplicable, "node.numa_balancing"},
      {"off", Numa("0-1\n", "0\n"), off, Verdict::kPass, ""},
      {"on", Numa("0-3\n", "1\n"), off, Verdict::kFail, "sysctl"},
      {"tiering", Numa("0-3\n", "2\n"), "numa_balancing: [0, 2]", Verdict::kPass, ""},
  };
  ExpectCases(&CheckNumaBalancing, cases);
}

TEST(NumaBalancing, AcceleratedMachinesMustNotBalance) {
  FakeMachine machine(Numa("0-1\n", "1\n"));
  machine.accelerated = true;
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckNumaBalancing)).verdict, Verdict::kFail);
}

}  // namespace
}  // namespace ashlar::node
