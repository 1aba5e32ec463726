#include "node/checks/resolver_configuration.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

TEST(ResolverConfiguration, ReadsTheServersInOrder) {
  const auto servers = ParseNameServers(
      "# by DHCP\nsearch example.org\nnameserver 10.0.0.1\n  nameserver\t2001:db8::1\r\nnameserver fe80::1%eth0 extra\n"
      "options timeout:1\nnameservers 9.9.9.9\n");
  ASSERT_TRUE(servers.ok()) << servers.status();
  EXPECT_EQ(*servers, (std::vector<std::string>{"10.0.0.1", "2001:db8::1", "fe80::1%eth0"}));
}

TEST(ResolverConfiguration, NoneIsAnEmptyList) {
  for (const std::string_view text : {"", "\n", "; nameserver 1.2.3.4\n", "search a\n"}) {
    const auto servers = ParseNameServers(text);
    ASSERT_TRUE(servers.ok());
    EXPECT_TRUE(servers->empty());
  }
}

TEST(ResolverConfiguration, RefusesWhatIsNoAddress) {
  for (const std::string_view text : std::initializer_list<std::string_view>{
           "nameserver\n", "nameserver dns.example.org\n", "nameserver 10.0.0\n", "nameserver 10.0.0.1%eth0\n",
           "nameserver 10.0.0.256\n", std::string_view("nameserver 10.0.0.1\0x\n", 23)}) {
    EXPECT_EQ(ParseNameServers(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace ashlar::node
