#include "node/checks/network_links.h"

#include <algorithm>
#include <map>

#include "node/checks/finding.h"
#include "node/network_interface.h"

namespace ashlar::node {
namespace {

constexpr double kGiga = 1e9;

struct LinkFaults {
  std::vector<std::string> down;
  std::vector<std::string> slow;
  std::vector<std::string> unreadable;
};

const Nic* FindNic(const std::vector<Nic>& nics, const std::string& name) {
  const auto found = std::find_if(nics.begin(), nics.end(), [&](const Nic& nic) { return nic.name == name; });
  return found == nics.end() ? nullptr : &*found;
}

bool IsNamed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Physical interfaces that someone brought up, and all that are named.
std::vector<const Nic*> ToLookAt(const std::vector<Nic>& nics, const std::vector<std::string>& named,
                                 const std::vector<std::string>& ignored) {
  std::vector<const Nic*> chosen;
  for (const Nic& nic : nics) {
    if (MatchesAny(ignored, nic.name)) continue;
    // The carrier cannot be read while an interface is set down: an unused port.
    const bool in_use = nic.is_physical && (nic.carrier.has_value() || nic.state != "down");
    if (in_use || IsNamed(named, nic.name)) chosen.push_back(&nic);
  }
  return chosen;
}

// Where nothing is stated, a link is held to the fastest of its own driver: one of eight equal ports at a lower rate.
std::map<std::string, double> FastestByDriver(const std::vector<const Nic*>& nics) {
  std::map<std::string, double> fastest;
  for (const Nic* nic : nics) {
    if (!nic->driver || !nic->speed_bits_per_second) continue;
    double& best = fastest[*nic->driver];
    best = std::max(best, static_cast<double>(*nic->speed_bits_per_second) / kGiga);
  }
  return fastest;
}

void JudgeRate(const Nic& nic, const std::map<std::string, double>& stated,
               const std::map<std::string, double>& fastest, LinkFaults& faults) {
  const auto own = stated.find(nic.name);
  if (!nic.speed_bits_per_second) {
    if (own != stated.end()) faults.unreadable.push_back(fmt::format("{} does not tell its rate", nic.name));
    return;
  }
  const double rate = static_cast<double>(*nic.speed_bits_per_second) / kGiga;
  const auto peer = nic.driver ? fastest.find(*nic.driver) : fastest.end();
  const double least = own != stated.end() ? own->second : (peer != fastest.end() ? peer->second : 0);
  if (rate < least) faults.slow.push_back(fmt::format("{} at {:g} of {:g} Gb/s", nic.name, rate, least));
}

void JudgeState(const Nic& nic, LinkFaults& faults) {
  const bool up = nic.carrier.value_or(false) && nic.state != "down";
  if (!nic.state) {
    faults.unreadable.push_back(fmt::format("{} does not tell its state", nic.name));
  } else if (!up) {
    faults.down.push_back(nic.name);
  }
}

std::string LinkText(const Nic& nic) {
  if (!nic.speed_bits_per_second) return fmt::format("{} {}", nic.name, nic.state.value_or("?"));
  return fmt::format("{} {} {:g} Gb/s", nic.name, nic.state.value_or("?"),
                     static_cast<double>(*nic.speed_bits_per_second) / kGiga);
}

base::Finding Verdict(base::Finding finding, const LinkFaults& faults) {
  if (!faults.down.empty()) {
    return Fail(std::move(finding),
                fmt::format("no link on {}: check cable and switch port; an unused port is set down "
                            "(ip link set NAME down) or named in node.links_ignored",
                            FewNames(faults.down)));
  }
  if (!faults.slow.empty()) {
    return Fail(std::move(finding),
                fmt::format("{}: check cable, transceiver and the switch port's setting", FewNames(faults.slow)));
  }
  if (!faults.unreadable.empty()) return CannotTell(std::move(finding), FewNames(faults.unreadable));
  return Pass(std::move(finding));
}

}  // namespace

// The driver's statistics are not asked: state, carrier and rate are enough here.
std::vector<base::Finding> CheckNetworkLinks(const CheckContext& context) {
  base::Finding finding = StartFinding({"network-links", "/sys/class/net/*/{operstate,carrier,speed}"});
  const auto nics = ReadNics(context.system, {});
  if (!nics.ok()) return {CannotTell(std::move(finding), nics.status())};
  const auto required = context.expectations.TextList("links");
  const auto ignored = context.expectations.TextList("links_ignored");
  const auto rates = context.expectations.NumberByName("link_gigabits_per_second");
  std::vector<std::string> named = required ? required->value : std::vector<std::string>{};
  for (const auto& [name, rate] : rates ? rates->value : std::map<std::string, double>{}) named.push_back(name);
  const auto chosen = ToLookAt(*nics, named, ignored ? ignored->value : std::vector<std::string>{});
  LinkFaults faults;
  for (const auto& name : named) {
    if (FindNic(*nics, name) == nullptr) faults.down.push_back(name + " (not there)");
  }
  if (chosen.empty() && faults.down.empty()) {
    return {DoesNotApply(std::move(finding),
                         "no physical interface is set up here; name some in node.links to check them")};
  }
  const auto fastest = FastestByDriver(chosen);
  std::vector<std::string> links;
  for (const Nic* nic : chosen) {
    JudgeState(*nic, faults);
    JudgeRate(*nic, rates ? rates->value : std::map<std::string, double>{}, fastest, faults);
    links.push_back(LinkText(*nic));
  }
  finding.value = NamesToJson(links);
  Expect(finding, rates ? "up, at the stated rate" : "up, at the rate of their like",
         rates ? rates->source : (required ? required->source : "docs/checks.md: network-links"));
  return {Verdict(std::move(finding), faults)};
}

}  // namespace ashlar::node
