// What to do with a node of Slurm, given what the controller says of it and what its health checks say.
//
// Pure functions; any thread.
//
// The rules. A drain is ours when its reason begins with kOwnReason; whatever another has set is neither overwritten
// nor lifted. Only a drain is ours to set and lift: a node that is down, failing or wrongly registered is left. While
// the controller's word is not final (WhyNotSettled) nothing is done. `unknown` never lifts a drain.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/base.h"
#include "cluster/slurm_node.h"

namespace ashlar::cluster {

inline constexpr std::string_view kOwnReason = "ashlar: ";

enum class NodeAction { kNone, kDrain, kResume, kWait };
// "none", "drain", "resume", "wait".
std::string_view NodeActionName(NodeAction action);

struct HealthJudgement {
  base::Verdict verdict = base::Verdict::kUnknown;
  bool partial = false;           // a choice of the checks: it may drain, and cannot vouch for the node
  bool drain_on_unknown = false;  // otherwise a node whose checks could not be run stays as it is
};

struct NodeDecision {
  NodeAction action = NodeAction::kNone;
  std::string why;         // one line for people
  bool attention = false;  // somebody should look: the node is not as it should be, and nothing is done about it
};

NodeDecision DecideNode(const SlurmNode& node, const HealthJudgement& health);

// True when the reason was written by Ashlar.
bool IsOwnReason(std::string_view reason);

// The reason of a drain: "ashlar: dns, swap: no answer from 10.0.0.1" names what failed, or what is unknown when
// nothing failed, and says why of the first. One line of UTF-8 without double quotes, at most kMaxReasonBytes.
std::string DrainReason(std::span<const base::Finding> findings);

// What scontrol may be given as a reason: as above, of any text.
std::string CleanReason(std::string_view text);

}  // namespace ashlar::cluster
