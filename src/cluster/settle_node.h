// Acting on a node after its health checks: read, decide, look again, act, verify.
//
// Slurm has no "change if unchanged": the state is read again right before the change, and after it, so that what
// another did meanwhile is noticed. One thread.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/base.h"
#include "cluster/node_control.h"
#include "cluster/node_decision.h"

namespace ashlar::cluster {

struct NodeOutcome {
  SlurmNode before;  // as it was decided upon
  NodeDecision decision;
  std::string reason;              // of a drain; "" of everything else
  bool acted = false;              // the controller was told
  std::optional<SlurmNode> after;  // as read after acting
  base::Status status;             // why the decision was not carried out, or did not hold; OK otherwise
};

struct SettleNodeRequest {
  std::string node;
  HealthJudgement health;
  std::string reason;    // of a drain, as DrainReason writes it
  absl::Duration limit;  // of everything
  absl::Duration wait;   // at most so long for a node whose state is not final; within `limit`
  bool dry_run = false;  // decides and tells, and changes nothing
  // Called once with what was decided, before anything is changed: the place to write it down.
  std::function<void(const NodeOutcome&)> on_decision;
  // Passes time between two looks; empty: a wait on the clock that a stop ends.
  std::function<void(absl::Duration)> pause;
  std::stop_token stop;
  const base::Clock& clock = base::SystemClock();
};

// An error is one of the first reading: nothing was decided then. Everything later is in the outcome.
base::StatusOr<NodeOutcome> SettleNode(NodeControl& control, const SettleNodeRequest& request);

// One line for people: `drained n1 ("ashlar: dns"): its checks fail`.
std::string OutcomeText(const NodeOutcome& outcome, bool dry_run);

// {"action", "why", "attention", "reason", "acted", "error", "before": {...}, "after": {...} | null}.
base::Json OutcomeToJson(const NodeOutcome& outcome);

}  // namespace ashlar::cluster
