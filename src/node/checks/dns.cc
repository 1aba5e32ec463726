#include "node/checks/dns.h"

#include "node/checks/finding.h"
#include "node/checks/resolver_configuration.h"

namespace ashlar::node {
namespace {

struct NameToAsk {
  std::string name;
  bool is_own = false;
};

base::StatusOr<NameToAsk> ChooseName(const CheckContext& context, base::Finding& finding) {
  if (const auto stated = context.expectations.Text("dns_name")) {
    Expect(finding, fmt::format("{} resolves", stated->value), stated->source);
    return NameToAsk{stated->value, false};
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::string own, context.kernel.HostName());
  if (own.empty()) return base::Error(base::StatusCode::kNotFound, "the machine has no name: set it (hostnamectl)");
  Expect(finding, fmt::format("the machine's own name {} resolves", own), "docs/checks.md: dns");
  return NameToAsk{own, true};
}

}  // namespace

// The name is asked through the resolver that jobs use, whatever stands behind it (files, DNS, a daemon). A server that
// hangs is ended by the time limit of this check.
std::vector<base::Finding> CheckDns(const CheckContext& context) {
  base::Finding finding = StartFinding({"dns", "/etc/resolv.conf, getaddrinfo(3)"});
  const auto text = context.system.Read("/etc/resolv.conf");
  if (!text.ok()) return {CannotTell(std::move(finding), text.status())};
  const auto servers = ParseNameServers(*text);
  if (!servers.ok()) return {CannotTell(std::move(finding), servers.status())};
  if (servers->empty()) {
    return {CannotTell(std::move(finding),
                       "/etc/resolv.conf names no server: add `nameserver ADDRESS`, or let DHCP or "
                       "systemd-resolved write it")};
  }
  const auto asked = ChooseName(context, finding);
  if (!asked.ok()) return {CannotTell(std::move(finding), asked.status())};
  const auto addresses = context.kernel.Resolve(asked->name);
  if (addresses.ok() && !addresses->empty()) {
    finding.value = FewNames(*addresses);
    return {Pass(std::move(finding))};
  }
  const bool no_answer = addresses.status().code() == base::StatusCode::kUnavailable;
  if (no_answer) {
    return {Fail(std::move(finding), fmt::format("{}; no server of {} answers: check the network and the servers",
                                                 base::Message(addresses.status()), FewNames(*servers)))};
  }
  return {Fail(std::move(finding), fmt::format("{} has no address: {}", asked->name,
                                               asked->is_own ? "add it to /etc/hosts or to DNS; jobs over several "
                                                               "machines need it"
                                                             : "add it to DNS, or correct node.dns_name"))};
}

}  // namespace ashlar::node
