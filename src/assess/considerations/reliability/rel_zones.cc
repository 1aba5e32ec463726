#include <algorithm>
#include <array>
#include <map>
#include "assess/considerations/considerations.h"

#include "assess/limits.h"

namespace ashlar::assess {
namespace {

// Machines for each value of one kind of domain ("zone 1", "fault domain 0").
using Domains = std::map<std::string, std::vector<std::string>>;

struct Level {
  const char* path;
  const char* name;
};
constexpr std::array<Level, 3> kLevels = {
    {{"azure.zone", "zone"}, {"azure.fault_domain", "fault domain"}, {"azure.update_domain", "update domain"}}};

// The largest domain of one level; empty when a machine does not say where it stands.
std::pair<std::string, size_t> LargestDomain(const std::vector<const ledger::Entry*>& machines, const Level& level) {
  Domains domains;
  for (const ledger::Entry* machine : machines) {
    const std::string domain = TextAt(*machine, level.path);
    if (domain.empty()) return {"", 0};
    domains[domain].push_back(machine->subject);
  }
  const auto largest = std::max_element(domains.begin(), domains.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return {fmt::format("{} {}", level.name, largest->first), largest->second.size()};
}

Judgement Judge(const Evidence& evidence) {
  const auto machines = evidence.LatestOfEach("node.identity");
  if (machines.empty()) return Unknown("no machine is recorded", "ashlar up --once");
  if (machines.size() == 1) {
    return Unknown(
        "one machine is recorded, and how machines are spread shows only with more: let them share a ledger "
        "(ASHLAR_LEDGER=postgresql://...)",
        "ashlar up --once");
  }
  const base::Json* floor = evidence.Config("reliability.capacity_floor");
  if (floor == nullptr || !floor->is_number()) {
    return Unknown(
        "no capacity is declared that must survive: set `reliability.capacity_floor` (machines) in the "
        "configuration",
        "ashlar assess --config FILE");
  }
  Judgement judgement;
  judgement.expectation = fmt::format(">= {} machines left", base::WriteJson(*floor));
  judgement.expectation_source = "configuration: reliability.capacity_floor";
  judgement.unit = "machines";
  judgement.command = "ashlar up --once";
  std::string largest;
  size_t lost = 0;
  for (const Level& level : kLevels) {
    const auto [name, size] = LargestDomain(machines, level);
    if (size > lost) {
      largest = name;
      lost = size;
    }
  }
  if (lost == 0) {
    judgement.reason = "not every machine says in which zone or domain it stands";
    return judgement;
  }
  const size_t left = machines.size() - lost;
  judgement.value = left;
  judgement.verdict = static_cast<double>(left) >= floor->to_number<double>() ? base::Verdict::kPass
                                                                              : base::Verdict::kFail;
  judgement.reason = fmt::format("losing {} takes {} of {} machines", largest, lost, machines.size());
  for (size_t i = 0; i < std::min(machines.size(), kMaxPointers); ++i) {
    judgement.pointers.push_back(PointTo(*machines[i], "azure"));
  }
  return judgement;
}

}  // namespace

constinit const Consideration kRelZones = {
    .id = "rel-zones",
    .pillar = Pillar::kReliability,
    .question = "If the largest zone, fault domain or update domain goes, does the declared capacity remain?",
    .why =
        "Machines that share a zone, a rack or an update domain fail together; a service spread by chance "
        "loses all of itself at once.",
    .proof = "The loss of the largest domain leaves at least the declared capacity.",
    .remedy = "Place replicas over more zones or fault domains, or declare a smaller capacity that must survive.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
