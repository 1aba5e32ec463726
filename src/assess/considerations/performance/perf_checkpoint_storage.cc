#include <vector>
#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

constexpr const char* kCommand = "ashlar bench storage DIR --demand checkpoint_bytes=100G,interval=30m";

Judgement Judge(const Evidence& evidence) {
  const ledger::Entry* storage = evidence.Latest("bench.storage");
  if (storage == nullptr) return Unknown("no storage was measured", kCommand);
  const auto findings = FindingsOf(*storage);
  if (!findings.ok()) return Unknown(std::string(base::Message(findings.status())), kCommand);
  std::vector<base::Finding> about_checkpoints;
  for (const base::Finding& finding : *findings) {
    const bool stated = finding.verdict != base::Verdict::kNotApplicable;
    if (stated && finding.id.find("checkpoint") != std::string::npos) about_checkpoints.push_back(finding);
  }
  if (about_checkpoints.empty()) {
    Judgement judgement = Unknown("how large a checkpoint is and how often it is written is not stated", kCommand);
    judgement.pointers.push_back(PointTo(*storage, "runs"));
    return judgement;
  }
  Judgement judgement = FromFindings(about_checkpoints, *storage, kCommand);
  judgement.expectation_source = about_checkpoints.front().expectation_source;
  judgement.expectation = about_checkpoints.front().expectation;
  if (judgement.verdict == base::Verdict::kPass) {
    // The stall is measured; how much work a failure costs needs the failure rate, which nothing here measures.
    judgement.verdict = base::Verdict::kUnknown;
    judgement.reason =
        "the stall is within its bound; the work that failures cost is not known, since no failure rate "
        "was measured";
    judgement.command = "";
  }
  return judgement;
}

}  // namespace

constinit const Consideration kPerfCheckpointStorage = {
    .id = "perf-checkpoint-storage",
    .pillar = Pillar::kPerformance,
    .question = "Is the time lost to checkpoints, and the work lost to failures, within the declared bound?",
    .why = "Checkpoints too often stall training; too seldom, a failure costs a day.",
    .proof = "Stall share and expected lost work below the declared bound, from measured bandwidth.",
    .remedy = "Use faster checkpoint storage, or the interval that the failure rate asks for.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
