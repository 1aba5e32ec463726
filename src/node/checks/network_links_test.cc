#include "node/checks/network_links.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct FakeLink {
  std::string name;
  std::string state = "up";
  std::string carrier = "1";     // "" is what the kernel answers while the interface is set down
  std::string speed = "100000";  // Mb/s
  bool physical = true;
};

FakeMachine Machine(const std::vector<FakeLink>& links) {
  FakeMachine machine;
  machine.tree.MakeDirectory("/sys/class/net");
  for (const auto& link : links) {
    const std::string folder = "/sys/class/net/" + link.name;
    machine.tree.WriteAll({{folder + "/operstate", link.state + "\n"},
                           {folder + "/address", "00:0d:3a:00:00:01\n"},
                           {folder + "/mtu", "1500\n"},
                           {folder + "/flags", "0x1003\n"},
                           {folder + "/speed", link.speed + "\n"}});
    if (!link.carrier.empty()) machine.tree.Write(folder + "/carrier", link.carrier + "\n");
    if (link.physical) machine.tree.Link(folder + "/device/driver", "../../../bus/pci/drivers/mlx5_core");
  }
  return machine;
}

base::Finding Check(const FakeMachine& machine, const std::string& node_yaml = "") {
  return OnlyFinding(machine.Run(&CheckNetworkLinks, node_yaml));
}

struct LinkCase {
  std::string name;
  std::vector<FakeLink> links;
  std::string node_yaml;
  Verdict verdict;
  std::string reason;
};

TEST(NetworkLinks, Cases) {
  const FakeLink up{.name = "eth0"};
  const std::vector<LinkCase> cases = {
      {"no interface", {}, "", Verdict::kNotApplicable, "node.links"},
      {"only lo", {{.name = "lo", .state = "unknown", .physical = false}}, "", Verdict::kNotApplicable, "node.links"},
      {"up", {up}, "", Verdict::kPass, ""},
      {"rate not told, none expected", {{.name = "eth0", .speed = "-1"}}, "", Verdict::kPass, ""},
      {"no cable", {{.name = "eth0", .state = "down", .carrier = "0"}}, "", Verdict::kFail, "no link on eth0"},
      {"second port set down is unused",
       {up, {.name = "eth1", .state = "down", .carrier = ""}},
       "",
       Verdict::kPass,
       ""},
      {"second port set down but named",
       {up, {.name = "eth1", .state = "down", .carrier = ""}},
       "links: [eth1]",
       Verdict::kFail,
       "eth1"},
      {"named and not there", {up}, "links: [ib0]", Verdict::kFail, "ib0 (not there)"},
      {"ignored", {up, {.name = "usb0", .state = "down", .carrier = "0"}}, "", Verdict::kPass, ""},
      {"one slower than its like",
       {up, {.name = "eth1", .speed = "25000"}},
       "",
       Verdict::kFail,
       "eth1 at 25 of 100 Gb/s"},
      {"slower than stated", {up}, "link_gigabits_per_second: {eth0: 200}", Verdict::kFail, "eth0 at 100 of 200"},
      {"as stated", {up}, "link_gigabits_per_second: {eth0: 100}", Verdict::kPass, ""},
      {"stated and not told",
       {{.name = "eth0", .speed = "-1"}},
       "link_gigabits_per_second: {eth0: 100}",
       Verdict::kUnknown,
       "does not tell its rate"},
      {"state malformed", {{.name = "eth0", .state = "", .carrier = "x"}}, "links: [eth0]", Verdict::kUnknown, "state"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const auto finding = Check(Machine(row.links), row.node_yaml);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

TEST(NetworkLinks, NoClassFolderIsUnknown) { EXPECT_EQ(Check(FakeMachine()).verdict, Verdict::kUnknown); }

}  // namespace
}  // namespace ashlar::node
