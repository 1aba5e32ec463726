#include "node/checks/processes.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct FakeProcess {
  int pid = 100;
  std::string name = "rank";
  char state = 'S';
  int parent = 1;
  int processor_seconds = 0;
  int started_seconds = 0;
  bool kernel_thread = false;
};

std::string StatLine(const FakeProcess& process) {
  return fmt::format("{} ({}) {} {} 1 1 0 -1 {} 0 0 0 0 {} 0 0 0 20 0 1 0 {} 0\n", process.pid, process.name,
                     process.state, process.parent, process.kernel_thread ? 2097152 : 0,
                     process.processor_seconds * 100, process.started_seconds * 100);
}

// Up for 10,000 s.
FakeMachine Machine(const std::vector<FakeProcess>& processes) {
  FakeMachine machine(Files{{"/proc/uptime", "10000.00 1.00\n"}, {"/proc/self/ignored", ""}});
  machine.tree.Write("/proc/1/stat", StatLine({.pid = 1, .name = "init", .parent = 0, .processor_seconds = 9999}));
  for (const auto& process : processes) {
    machine.tree.Write(fmt::format("/proc/{}/stat", process.pid), StatLine(process));
  }
  return machine;
}

std::map<std::string, base::Finding> Check(const FakeMachine& machine, const std::string& node_yaml = "") {
  std::map<std::string, base::Finding> findings;
  for (auto& finding : machine.Run(&CheckProcesses, node_yaml)) findings.emplace(finding.id, finding);
  EXPECT_EQ(findings.size(), 3U);
  return findings;
}

TEST(Processes, MissingAndMalformedAreUnknownInAllThree) {
  FakeMachine malformed = Machine({});
  malformed.tree.Write("/proc/77/stat", "77 rubbish\n");
  FakeMachine bad_uptime = Machine({});
  bad_uptime.tree.Write("/proc/uptime", "long");
  const FakeMachine nothing(Files{{"/proc/uptime", "1.0 1.0\n"}});
  for (const FakeMachine* machine : std::initializer_list<const FakeMachine*>{&malformed, &bad_uptime, &nothing}) {
    for (const auto& [id, finding] : Check(*machine)) {
      EXPECT_EQ(finding.verdict, Verdict::kUnknown) << DescribeFinding(finding);
      EXPECT_FALSE(finding.reason.empty());
    }
  }
}

TEST(Processes, AQuietMachinePasses) {
  for (const auto& [id, finding] : Check(Machine({{.pid = 100}}))) EXPECT_EQ(finding.verdict, Verdict::kPass) << id;
}

TEST(Processes, CountsBlockedAndZombiesAtAndOverTheLimit) {
  std::vector<FakeProcess> two;
  two.push_back({.pid = 100, .state = 'D'});
  two.push_back({.pid = 101, .state = 'D'});
  two.push_back({.pid = 102, .state = 'Z'});
  two.push_back({.pid = 103, .state = 'Z'});
  auto at = Check(Machine(two), "{blocked_processes: 2, zombie_processes: 2}");
  EXPECT_EQ(at["processes-blocked"].verdict, Verdict::kPass);
  EXPECT_EQ(at["processes-zombie"].verdict, Verdict::kPass);
  auto over = Check(Machine(two), "{blocked_processes: 1, zombie_processes: 1}");
  EXPECT_EQ(over["processes-blocked"].verdict, Verdict::kFail);
  EXPECT_NE(over["processes-blocked"].reason.find("rank (100), rank (101)"), std::string::npos);
  EXPECT_EQ(over["processes-zombie"].verdict, Verdict::kFail);
}

struct RunawayCase {
  std::string name;
  FakeProcess process;
  bool is_runaway;
};

TEST(Processes, ARunawayIsAnOldBusyOrphan) {
  // The defaults: 90 % of a processor for 600 s. The machine has been up for 10,000 s.
  const std::vector<RunawayCase> cases = {
      {"orphan, busy, old", {.parent = 1, .processor_seconds = 900, .started_seconds = 9000}, true},
      {"just below 90 %", {.parent = 1, .processor_seconds = 899, .started_seconds = 9000}, false},
      {"exactly 600 s old", {.parent = 1, .processor_seconds = 600, .started_seconds = 9400}, true},
      {"599 s old", {.parent = 1, .processor_seconds = 599, .started_seconds = 9401}, false},
      {"has a parent", {.parent = 50, .processor_seconds = 900, .started_seconds = 9000}, false},
      {"kernel thread", {.parent = 1, .processor_seconds = 900, .started_seconds = 9000, .kernel_thread = true}, false},
      {"allowed by name", {.name = "slurmd", .parent = 1, .processor_seconds = 900, .started_seconds = 9000}, false},
      {"several threads", {.parent = 1, .processor_seconds = 8000, .started_seconds = 9000}, true},
      {"started in the future", {.parent = 1, .processor_seconds = 900, .started_seconds = 11000}, false},
  };
  for (const auto& row : cases) {
    auto findings = Check(Machine({row.process}));
    EXPECT_EQ(findings["processes-runaway"].verdict, row.is_runaway ? Verdict::kFail : Verdict::kPass) << row.name;
  }
}

}  // namespace
}  // namespace ashlar::node
