#include "node/checks/infiniband_ports.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

struct FakePort {
  std::string device;
  std::string state = "4: ACTIVE";
  std::string physical = "5: LinkUp";
  std::string rate = "400 Gb/sec (4X NDR)";
  std::string layer = "InfiniBand";
};

FakeMachine Machine(const std::vector<FakePort>& ports) {
  FakeMachine machine;
  for (const auto& port : ports) {
    const std::string folder = "/sys/class/infiniband/" + port.device + "/ports/1";
    machine.tree.WriteAll({{folder + "/state", port.state + "\n"},
                           {folder + "/phys_state", port.physical + "\n"},
                           {folder + "/rate", port.rate + "\n"},
                           {folder + "/link_layer", port.layer + "\n"}});
  }
  return machine;
}

std::vector<FakePort> Eight() {
  std::vector<FakePort> ports;
  for (int index = 0; index < 8; ++index) ports.push_back({.device = fmt::format("mlx5_ib{}", index)});
  return ports;
}

base::Finding Check(const std::vector<FakePort>& ports, const std::string& node_yaml = "") {
  return OnlyFinding(Machine(ports).Run(&CheckInfinibandPorts, node_yaml));
}

const std::string kSize = "size: Standard_ND96isr_H100_v5";  // 8 ports of 400 Gb/s: AzNHC conf/nd96isr_h100_v5.conf

TEST(InfinibandPorts, AllAsTheSizeHasThem) {
  auto ports = Eight();
  EXPECT_EQ(Check(ports, kSize).verdict, Verdict::kPass);
  // Accelerated networking is RDMA over Ethernet at its own rate; AzNHC lists it apart.
  ports.push_back({.device = "mlx5_an0", .rate = "100 Gb/sec (4X EDR)", .layer = "Ethernet"});
  const auto finding = Check(ports, kSize);
  EXPECT_EQ(finding.verdict, Verdict::kPass) << DescribeFinding(finding);
  EXPECT_EQ(finding.value.to_number<int>(), 8);
}

TEST(InfinibandPorts, NoneAndNoneExpectedDoesNotApply) {
  EXPECT_EQ(Check({}).verdict, Verdict::kNotApplicable);
  EXPECT_EQ(Check({}, "infiniband_port_count: 0").verdict, Verdict::kNotApplicable);
}

TEST(InfinibandPorts, MissingOnesFail) {
  EXPECT_EQ(Check({}, kSize).verdict, Verdict::kFail);
  auto ports = Eight();
  ports.pop_back();
  const auto finding = Check(ports, kSize);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_NE(finding.reason.find("1 InfiniBand ports are missing"), std::string::npos) << finding.reason;
}

struct PortCase {
  std::string name;
  FakePort port;
  Verdict verdict;
  std::string reason;
};

TEST(InfinibandPorts, OnePortThatIsNotAsTheOthers) {
  const std::vector<PortCase> cases = {
      {"initialising", {.device = "mlx5_x", .state = "2: INIT"}, Verdict::kFail, "mlx5_x:1 is INIT, LinkUp"},
      {"polling", {.device = "mlx5_x", .state = "1: DOWN", .physical = "2: Polling"}, Verdict::kFail, "Polling"},
      {"active but no link", {.device = "mlx5_x", .physical = "3: Disabled"}, Verdict::kFail, "Disabled"},
      {"half the rate", {.device = "mlx5_x", .rate = "200 Gb/sec (4X HDR)"}, Verdict::kFail, "mlx5_x:1 at 200 Gb/s"},
      {"state malformed", {.device = "mlx5_x", .state = "ACTIVE"}, Verdict::kUnknown, "mlx5_x:1"},
      {"rate malformed", {.device = "mlx5_x", .rate = "fast"}, Verdict::kUnknown, "mlx5_x:1"},
      {"Ethernet port down", {.device = "mlx5_x", .state = "1: DOWN", .layer = "Ethernet"}, Verdict::kFail, "DOWN"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    auto ports = Eight();
    ports.push_back(row.port);
    const auto finding = Check(ports);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << finding.reason;
  }
}

}  // namespace
}  // namespace ashlar::node
