#include "cluster/settle_node.h"

#include <algorithm>

#include "cluster/limits.h"

namespace ashlar::cluster {
namespace {

using base::StatusCode;

// Time passes until a stop is requested: nobody else signals.
void WaitOnClock(absl::Duration time, const std::stop_token& stop) {
  base::Mutex mutex;
  base::CondVar changed;
  const std::stop_callback wake(stop, [&] {
    // Under the lock, or the signal could fall between the test and the wait.
    const base::MutexLock lock(mutex);
    changed.SignalAll();
  });
  const absl::Duration end = base::SystemClock().Monotonic() + time;
  const base::MutexLock lock(mutex);
  for (absl::Duration left = time; left > absl::ZeroDuration() && !stop.stop_requested();) {
    changed.WaitFor(mutex, left);
    left = end - base::SystemClock().Monotonic();
  }
}

// One run through read, decide, look again, act, verify.
class Settlement {
 public:
  Settlement(NodeControl& control, const SettleNodeRequest& request)
      : control_(control), request_(request), start_(request.clock.Monotonic()) {}

  base::StatusOr<NodeOutcome> Run() {
    ASHLAR_RETURN_IF_ERROR(Decide());
    if (request_.on_decision) request_.on_decision(outcome_);
    const NodeAction action = outcome_.decision.action;
    const bool acts = action == NodeAction::kDrain || action == NodeAction::kResume;
    if (!acts || request_.dry_run || !StillHolds()) return std::move(outcome_);
    outcome_.status = action == NodeAction::kDrain ? control_.Drain(request_.node, request_.reason, Left())
                                                   : control_.Resume(request_.node, Left());
    outcome_.acted = outcome_.status.ok();
    Verify();
    return std::move(outcome_);
  }

 private:
  absl::Duration Spent() const { return request_.clock.Monotonic() - start_; }
  absl::Duration Left() const { return request_.limit - Spent(); }

  base::Status Decide() {
    while (true) {
      ASHLAR_ASSIGN_OR_RETURN(outcome_.before, control_.Read(request_.node, Left()));
      outcome_.decision = DecideNode(outcome_.before, request_.health);
      const absl::Duration pause = std::min({kWaitStep, request_.wait - Spent(), Left() - kWaitStep});
      const bool waits = outcome_.decision.action == NodeAction::kWait && pause > absl::ZeroDuration();
      if (!waits || request_.stop.stop_requested()) break;
      if (request_.pause) {
        request_.pause(pause);
      } else {
        WaitOnClock(pause, request_.stop);
      }
    }
    if (outcome_.decision.action == NodeAction::kDrain) outcome_.reason = request_.reason;
    return base::OkStatus();
  }

  // The same decision on what the controller says now. If not, what has changed is the outcome.
  bool StillHolds() {
    auto now = control_.Read(request_.node, Left());
    if (!now.ok()) {
      outcome_.status = base::Annotate(now.status(), "looking again before acting");
      return false;
    }
    NodeDecision decision = DecideNode(*now, request_.health);
    if (decision.action == outcome_.decision.action) {
      outcome_.before = *std::move(now);
      return true;
    }
    decision.why = fmt::format("another changed it meanwhile: {}", decision.why);
    outcome_.decision = std::move(decision);
    outcome_.reason.clear();
    outcome_.after = *std::move(now);
    return false;
  }

  void Verify() {
    auto now = control_.Read(request_.node, Left());
    if (!now.ok()) {
      if (outcome_.acted)
        outcome_.status = base::Annotate(now.status(), "the controller was told; looking whether it did");
      return;
    }
    outcome_.after = *std::move(now);
    if (!outcome_.acted) return;
    const SlurmNode& after = *outcome_.after;
    const bool drained = after.state.Has(NodeFlag::kDrain);
    const std::string state = NodeStateText(after.state);
    if (outcome_.decision.action == NodeAction::kResume) {
      if (drained) outcome_.status = base::Error(StatusCode::kAborted, "resumed, and it is {} all the same", state);
    } else if (!drained) {
      outcome_.status = base::Error(StatusCode::kAborted, "drained, and it is {} all the same", state);
    } else if (!IsOwnReason(after.reason)) {
      outcome_.status =
          base::Error(StatusCode::kAborted, "drained, and another's reason stands now: \"{}\"", after.reason);
    }
  }

  NodeControl& control_;
  const SettleNodeRequest& request_;
  const absl::Duration start_;
  NodeOutcome outcome_;
};

}  // namespace

base::StatusOr<NodeOutcome> SettleNode(NodeControl& control, const SettleNodeRequest& request) {
  return Settlement(control, request).Run();
}

std::string OutcomeText(const NodeOutcome& outcome, bool dry_run) {
  const std::string& node = outcome.before.name;
  const NodeDecision& decision = outcome.decision;
  const std::string state = NodeStateText(outcome.before.state);
  const std::string reason = outcome.reason.empty() ? "" : fmt::format(" (\"{}\")", outcome.reason);
  const std::string_view verb = NodeActionName(decision.action);
  if (!outcome.status.ok()) {
    return fmt::format("could not {} {}{}, {}: {}", verb, node, reason, state, base::Message(outcome.status));
  }
  switch (decision.action) {
    case NodeAction::kNone: return fmt::format("left {} as it is, {}: {}", node, state, decision.why);
    case NodeAction::kWait: return fmt::format("waiting for {}, {}: {}", node, state, decision.why);
    case NodeAction::kDrain:
    case NodeAction::kResume: break;
  }
  if (dry_run) return fmt::format("would {} {}{}, {}: {}", verb, node, reason, state, decision.why);
  const std::string_view done = decision.action == NodeAction::kDrain ? "drained" : "resumed";
  return fmt::format("{} {}{}: {}", done, node, reason, decision.why);
}

base::Json OutcomeToJson(const NodeOutcome& outcome) {
  base::Json after;
  if (outcome.after) after = NodeToJson(*outcome.after);
  return base::JsonObject{{"action", NodeActionName(outcome.decision.action)},
                          {"why", base::Utf8Text(outcome.decision.why)},
                          {"attention", outcome.decision.attention},
                          {"reason", outcome.reason},
                          {"acted", outcome.acted},
                          {"error", base::Message(outcome.status)},
                          {"before", NodeToJson(outcome.before)},
                          {"after", std::move(after)}};
}

}  // namespace ashlar::cluster
