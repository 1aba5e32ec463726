#include "assess/considerations/considerations.h"
#include "assess/gpu_presence.h"

namespace ashlar::assess {
namespace {

// Clocks tell only under load, and no benchmark of this version loads a GPU. What throttles an idle GPU is still a
// fault.
Judgement Judge(const Evidence& evidence) {
  const GpuPresence gpus = FindGpus(evidence);
  if (gpus.identity == nullptr) return Unknown("the machine is not recorded", "ashlar up --once");
  if (!gpus.known) return Unknown(gpus.reason, "ashlar check --only gpu-count");
  if (gpus.total() == 0) return NotApplicable("no GPU here", *gpus.identity, "gpu_inventories");
  const ledger::Entry* check = evidence.Latest("node.check");
  if (check == nullptr) return Unknown("the GPUs were not checked", "ashlar check");
  const auto findings = FindingsOf(*check);
  if (!findings.ok()) return Unknown(std::string(base::Message(findings.status())), "ashlar check");
  for (const base::Finding& finding : *findings) {
    if (finding.id.starts_with("gpu-throttl") && finding.verdict == base::Verdict::kFail) {
      return FromFindings({&finding, 1}, *check, "ashlar check --only gpu-throttling");
    }
  }
  return NotInThisVersion("Clocks were read on idle GPUs; under load they were not measured.", "ashlar validate");
}

}  // namespace

constinit const Consideration kPerfGpuClocks = {
    .id = "perf-gpu-clocks",
    .pillar = Pillar::kPerformance,
    .question = "Do the GPUs run at their highest clocks under load, with nothing throttling them?",
    .why = "A GPU below its clocks slows every rank that waits for it.",
    .proof = "Clocks at maximum under load, and no throttle reasons.",
    .remedy =
        "Turn persistence on, set the highest application clocks, and look at power and cooling where a "
        "reason remains.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
