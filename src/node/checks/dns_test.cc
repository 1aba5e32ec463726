#include "node/checks/dns.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::StatusCode;
using base::Verdict;

const Files kServer = {{"/etc/resolv.conf", "nameserver 10.0.0.1\n"}};

TEST(Dns, Cases) {
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "resolv.conf"},
      {"malformed", {{"/etc/resolv.conf", "nameserver x\n"}}, "", Verdict::kUnknown, "no address"},
      {"no server", {{"/etc/resolv.conf", "search a\n"}}, "", Verdict::kUnknown, "names no server"},
      {"own name resolves", kServer, "", Verdict::kPass, ""},
      {"stated name does not", kServer, "dns_name: login.example.org", Verdict::kFail, "node.dns_name"},
  };
  ExpectCases(&CheckDns, cases);
}

TEST(Dns, TheOwnNameMustResolve) {
  FakeMachine machine(kServer);
  machine.kernel.names.clear();
  const auto finding = OnlyFinding(machine.Run(&CheckDns));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_NE(finding.reason.find("/etc/hosts"), std::string::npos);
}

TEST(Dns, AServerThatDoesNotAnswerIsAFault) {
  FakeMachine machine(kServer);
  machine.kernel.names.insert_or_assign(
      "node-1", base::Error(StatusCode::kUnavailable, "node-1: temporary failure in name resolution"));
  const auto finding = OnlyFinding(machine.Run(&CheckDns));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_NE(finding.reason.find("10.0.0.1"), std::string::npos);
}

TEST(Dns, ANameWithoutAddressIsAFault) {
  FakeMachine machine(kServer);
  machine.kernel.names.insert_or_assign("node-1", std::vector<std::string>{});
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckDns)).verdict, Verdict::kFail);
}

TEST(Dns, AMachineWithoutNameIsUnknown) {
  FakeMachine machine(kServer);
  machine.kernel.host_name = std::string();
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckDns)).verdict, Verdict::kUnknown);
  machine.kernel.host_name = base::Error(StatusCode::kInternal, "gethostname");
  EXPECT_EQ(OnlyFinding(machine.Run(&CheckDns)).verdict, Verdict::kUnknown);
}

TEST(Dns, AStatedNameIsAskedFor) {
  FakeMachine machine(kServer);
  machine.kernel.names.insert({"login.example.org", std::vector<std::string>{"192.0.2.7", "2001:db8::7"}});
  const auto finding = OnlyFinding(machine.Run(&CheckDns, "dns_name: login.example.org"));
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.value.get_string(), "192.0.2.7, 2001:db8::7");
  EXPECT_EQ(finding.expectation_source, "configuration: node.dns_name");
}

}  // namespace
}  // namespace ashlar::node
