#include <algorithm>
#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

constexpr const char* kCommand = "ashlar check";

// The boot that the check must be younger than; the distant past when the machine did not say.
absl::Time BootTime(const Evidence& evidence, const std::string& subject) {
  for (const ledger::Entry* identity : evidence.LatestOfEach("node.identity")) {
    if (identity->subject != subject) continue;
    const auto time = base::ParseRfc3339(TextAt(*identity, "boot.time"));
    if (time.ok()) return *time;
  }
  return absl::InfinitePast();
}

Judgement JudgeMachine(const Evidence& evidence, const ledger::Entry& check) {
  if (check.time < BootTime(evidence, check.subject)) {
    return Unknown(fmt::format("{} was booted after its last check", check.subject), kCommand);
  }
  const auto findings = FindingsOf(check);
  if (!findings.ok()) return Unknown(std::string(base::Message(findings.status())), kCommand);
  Judgement judgement = FromFindings(*findings, check, kCommand);
  judgement.expectation = "every check passes";
  judgement.expectation_source = "docs/checks.md";
  return judgement;
}

Judgement Judge(const Evidence& evidence) {
  const auto checks = evidence.LatestOfEach("node.check");
  if (checks.empty()) return Unknown("no machine was checked", kCommand);
  // The worst machine speaks for all; a machine that is recorded and was never checked is unknown.
  Judgement worst = JudgeMachine(evidence, *checks.front());
  for (const ledger::Entry* check : checks) {
    Judgement judgement = JudgeMachine(evidence, *check);
    const bool worse = judgement.verdict == base::Verdict::kFail ||
                       (judgement.verdict == base::Verdict::kUnknown && worst.verdict == base::Verdict::kPass);
    if (worse && worst.verdict != base::Verdict::kFail) worst = std::move(judgement);
  }
  for (const ledger::Entry* identity : evidence.LatestOfEach("node.identity")) {
    const bool checked = std::any_of(checks.begin(), checks.end(),
                                     [&](const ledger::Entry* check) { return check->subject == identity->subject; });
    if (!checked && worst.verdict == base::Verdict::kPass) {
      worst = Unknown(fmt::format("{} was never checked", identity->subject), kCommand);
    }
  }
  if (checks.size() > 1) worst.reason += fmt::format(" ({} machines)", checks.size());
  return worst;
}

}  // namespace

constinit const Consideration kBenchNodeHealth = {
    .id = "bench-node-health",
    .pillar = Pillar::kBenchmarks,
    .question = "Did every machine pass its health checks since its last boot?",
    .why = "One sick machine slows or stops every job that it is given.",
    .proof = "All nodes passed all checks since their last boot.",
    .remedy = "Mend what the failed checks name, or drain the machine.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
