#include "bench/validate/drill.h"

#include <algorithm>
#include <optional>

namespace ashlar::bench {
namespace {

using stats::Culprit;
using stats::CulpritKind;
using stats::FaultKind;
using stats::SimulatedFault;

constexpr double kDefaultSpeedLeft = 0.5;
constexpr double kFlappingActivity = 0.7;

base::Status Wrong(std::string_view fault, std::string_view expectation) {
  return base::Error(base::StatusCode::kInvalidArgument, "--inject {}: {}", fault, expectation);
}

std::optional<FaultKind> KindOf(std::string_view name) {
  for (const FaultKind kind : stats::kAllFaultKinds) {
    if (stats::FaultKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string AllKinds() {
  std::vector<std::string> names;
  for (const FaultKind kind : stats::kAllFaultKinds) names.emplace_back(stats::FaultKindName(kind));
  return base::Join(names, ", ");
}

std::optional<int> NumberBelow(std::string_view text, int end) {
  const auto number = base::ParseInt64(text);
  if (!number.has_value() || *number < 0 || *number >= end) return std::nullopt;
  return static_cast<int>(*number);
}

base::StatusOr<Culprit> ParsePlace(std::string_view fault, FaultKind kind, std::string_view place,
                                   const stats::Topology& topology) {
  if (kind == FaultKind::kSlowSwitch) {
    const auto index = NumberBelow(place, static_cast<int>(topology.switches.size()));
    if (index.has_value()) return Culprit{CulpritKind::kSwitch, *index, -1};
    return Wrong(fault, fmt::format("there are {} switches, from 0", topology.switches.size()));
  }
  if (kind != FaultKind::kSlowLink) {
    const auto node = NumberBelow(place, topology.nodes);
    if (node.has_value()) return Culprit{CulpritKind::kNode, *node, -1};
    return Wrong(fault, fmt::format("there are {} nodes, from 0", topology.nodes));
  }
  const std::vector<std::string_view> ends = base::Split(place, '-');
  const auto a = NumberBelow(ends.front(), topology.nodes);
  const auto b = ends.size() == 2 ? NumberBelow(ends.back(), topology.nodes) : std::nullopt;
  if (!a.has_value() || !b.has_value() || *a == *b) {
    return Wrong(fault, fmt::format("a link is two of the {} nodes, as 2-5", topology.nodes));
  }
  return Culprit{CulpritKind::kLink, std::min(*a, *b), std::max(*a, *b)};
}

bool HasSpeed(FaultKind kind) {
  return kind != FaultKind::kCorruptData && kind != FaultKind::kHang && kind != FaultKind::kCrash;
}

base::StatusOr<SimulatedFault> ParseFault(std::string_view text, const stats::Topology& topology) {
  const std::vector<std::string_view> parts = base::Split(text, ':');
  const auto kind = KindOf(parts.front());
  if (!kind.has_value()) return Wrong(text, "must be KIND:PLACE[:SHARE], with KIND one of " + AllKinds());
  if (parts.size() < 2) return Wrong(text, "which node? as hang:3, or slow_link:2-5");
  SimulatedFault fault{.kind = *kind};
  ASHLAR_ASSIGN_OR_RETURN(fault.culprit, ParsePlace(text, *kind, parts[1], topology));
  if (*kind == FaultKind::kFlapping) fault.activity = kFlappingActivity;
  if (HasSpeed(*kind)) fault.speed_left = kDefaultSpeedLeft;
  if (parts.size() == 2) return fault;
  const auto share = base::ParseDouble(parts[2]);
  if (parts.size() > 3 || !HasSpeed(*kind) || !share.has_value() || !(*share > 0 && *share < 1)) {
    return Wrong(text, "the share of the speed that is left must be above 0 and below 1, for faults that are slow");
  }
  fault.speed_left = *share;
  return fault;
}

// The node of the test whose ranks show the fault.
int NodeThatShows(const Culprit& culprit, const stats::Topology& topology, const std::vector<int>& test) {
  if (culprit.kind != CulpritKind::kSwitch) return culprit.first;
  const std::vector<int>& behind = topology.switches[static_cast<size_t>(culprit.first)];
  return *std::find_first_of(test.begin(), test.end(), behind.begin(), behind.end());
}

std::string TextFor(const SimulatedFault& fault, int rank) {
  switch (fault.kind) {
    case FaultKind::kCorruptData: return fmt::format("{}:corrupt", rank);
    case FaultKind::kHang: return fmt::format("{}:hang", rank);
    case FaultKind::kCrash: return fmt::format("{}:crash", rank);
    default: return fmt::format("{}:slow:{}", rank, fault.speed_left);
  }
}

}  // namespace

base::StatusOr<std::vector<SimulatedFault>> ParseDrill(std::string_view text, const stats::Topology& topology) {
  std::vector<SimulatedFault> faults;
  if (text.empty()) return faults;
  for (const std::string_view one : base::Split(text, ',')) {
    ASHLAR_ASSIGN_OR_RETURN(const SimulatedFault fault, ParseFault(one, topology));
    faults.push_back(fault);
  }
  return faults;
}

std::string RankFaultsText(const std::vector<SimulatedFault>& faults, const stats::Topology& topology,
                           const std::vector<int>& test, int ranks_per_node, std::mt19937_64& random) {
  std::vector<std::string> texts;
  for (const SimulatedFault& fault : faults) {
    if (!stats::Touches(fault.culprit, topology, test)) continue;
    if (std::uniform_real_distribution<double>(0, 1)(random) >= fault.activity) continue;
    const int node = NodeThatShows(fault.culprit, topology, test);
    const auto place = std::find(test.begin(), test.end(), node) - test.begin();
    texts.push_back(TextFor(fault, static_cast<int>(place) * ranks_per_node));
  }
  return base::Join(texts, ",");
}

}  // namespace ashlar::bench
