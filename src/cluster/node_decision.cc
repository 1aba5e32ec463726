#include "cluster/node_decision.h"

#include <cctype>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::Verdict;

enum class Health { kWell, kSick, kUnknown };

Health HealthOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kNotApplicable: return Health::kWell;
    case Verdict::kFail:
    case Verdict::kConflict: return Health::kSick;
    case Verdict::kUnknown: return Health::kUnknown;
  }
  return Health::kUnknown;
}

// "by root: disk replaced", as the controller has it.
std::string WhoseReason(const SlurmNode& node) {
  const std::string by = node.reason_user.empty() ? "" : fmt::format("by {}", node.reason_user);
  if (node.reason.empty()) return by.empty() ? "without a reason" : by + ", without a reason";
  return fmt::format("{}{}\"{}\"", by, by.empty() ? "" : ": ", node.reason);
}

NodeDecision Leave(std::string why) { return {NodeAction::kNone, std::move(why), false}; }
NodeDecision LeaveAndSay(std::string why) { return {NodeAction::kNone, std::move(why), true}; }

NodeDecision DecideDrained(const SlurmNode& node, const HealthJudgement& health) {
  if (!IsOwnReason(node.reason)) {
    return Leave(fmt::format("it was drained {}: that is another's to lift", WhoseReason(node)));
  }
  switch (HealthOf(health.verdict)) {
    case Health::kSick: return Leave("it is drained already, and its checks still fail");
    case Health::kUnknown: return LeaveAndSay("it stays drained: a check that is unknown does not resume a node");
    case Health::kWell: break;
  }
  if (health.partial) return Leave("it stays drained: only a part of the checks was run, which cannot vouch for it");
  return {NodeAction::kResume, fmt::format("its checks pass, and the drain is ours (\"{}\")", node.reason), false};
}

NodeDecision DecideInService(const SlurmNode& node, const HealthJudgement& health) {
  const Health now = HealthOf(health.verdict);
  if (now == Health::kWell) return Leave("its checks pass");
  if (now == Health::kUnknown && !health.drain_on_unknown) {
    return LeaveAndSay("its checks are unknown: it is not drained for that (--drain-unknown does)");
  }
  // Slurm clears a reason when it takes a node back, so a note on a node in service is somebody's.
  if (!node.reason.empty() && !IsOwnReason(node.reason)) {
    return LeaveAndSay(
        fmt::format("its checks do not pass, but it carries another's note ({}): not overwritten", WhoseReason(node)));
  }
  const std::string_view why = now == Health::kSick ? "its checks fail" : "its checks are unknown";
  return {NodeAction::kDrain, std::string(why), false};
}

}  // namespace

std::string_view NodeActionName(NodeAction action) {
  switch (action) {
    case NodeAction::kNone: return "none";
    case NodeAction::kDrain: return "drain";
    case NodeAction::kResume: return "resume";
    case NodeAction::kWait: return "wait";
  }
  return "none";
}

bool IsOwnReason(std::string_view reason) { return reason.starts_with(kOwnReason); }

NodeDecision DecideNode(const SlurmNode& node, const HealthJudgement& health) {
  const NodeState& state = node.state;
  const std::string_view unsettled = WhyNotSettled(state);
  if (!unsettled.empty()) return {NodeAction::kWait, fmt::format("{}: the next run looks again", unsettled), false};
  if (state.base == NodeBase::kFuture || state.Has(NodeFlag::kDynamicFuture)) {
    return Leave("it is configured for later and is in no service yet");
  }
  if (state.Has(NodeFlag::kInvalidRegistration)) {
    return Leave(fmt::format("Slurm does not accept what it registered with {}: compare slurmd -C with slurm.conf",
                             WhoseReason(node)));
  }
  if (state.base == NodeBase::kDown || state.base == NodeBase::kError) {
    return Leave(fmt::format("it is down {}: Ashlar lifts its own drains and nothing else", WhoseReason(node)));
  }
  if (state.Has(NodeFlag::kFail)) return Leave(fmt::format("it was set to fail {}", WhoseReason(node)));
  return state.Has(NodeFlag::kDrain) ? DecideDrained(node, health) : DecideInService(node, health);
}

std::string CleanReason(std::string_view text) {
  const std::string whole = base::Utf8Text(text);
  std::string clean;
  for (const char letter : whole) {
    const bool control = std::iscntrl(static_cast<unsigned char>(letter)) != 0;
    // scontrol takes quotes off the ends of a value.
    clean.push_back(letter == '"' ? '\'' : control ? ' ' : letter);
  }
  clean = std::string(base::Trim(clean));
  if (clean.size() <= kMaxReasonBytes) return clean;
  constexpr std::string_view kMore = "...";
  clean.resize(kMaxReasonBytes - kMore.size());
  while (!clean.empty() && !base::IsUtf8(clean)) clean.pop_back();
  return clean.append(kMore);
}

std::string DrainReason(std::span<const base::Finding> findings) {
  std::vector<std::string> ids;
  std::string first;
  for (const auto health : {Health::kSick, Health::kUnknown}) {
    for (const auto& finding : findings) {
      if (HealthOf(finding.verdict) != health) continue;
      if (ids.empty()) first = finding.reason;
      ids.push_back(finding.id);
    }
    if (!ids.empty()) break;
  }
  if (ids.empty()) return CleanReason(fmt::format("{}no check was run", kOwnReason));
  constexpr size_t kNamed = 5;
  const size_t more = ids.size() > kNamed ? ids.size() - kNamed : 0;
  ids.resize(ids.size() - more);
  const std::string names = base::Join(ids, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
  return CleanReason(fmt::format("{}{}{}{}", kOwnReason, names, first.empty() ? "" : ": ", first));
}

}  // namespace ashlar::cluster
