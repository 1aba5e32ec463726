#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

constexpr const char* kCommand = "ashlar bench storage DIR --demand loading_rate=2G";

Judgement Judge(const Evidence& evidence) {
  const ledger::Entry* storage = evidence.Latest("bench.storage");
  if (storage == nullptr) return Unknown("no storage was measured", kCommand);
  const base::Json* demand = base::Find(storage->body, "demand");
  if (demand == nullptr || demand->is_null()) {
    Judgement judgement = Unknown("storage was measured, but no demand is stated to hold it against", kCommand);
    judgement.pointers.push_back(PointTo(*storage, "runs"));
    return judgement;
  }
  const auto findings = FindingsOf(*storage);
  if (!findings.ok()) return Unknown(std::string(base::Message(findings.status())), kCommand);
  Judgement judgement = FromFindings(*findings, *storage, kCommand);
  judgement.expectation = "every stated demand is met";
  judgement.expectation_source = fmt::format("entry {}: demand", storage->sequence);
  return judgement;
}

}  // namespace

constinit const Consideration kPerfScratch = {
    .id = "perf-scratch",
    .pillar = Pillar::kPerformance,
    .question = "Does scratch storage meet the demand of the job, as measured?",
    .why = "A GPU that waits for data is paid for all the same.",
    .proof = "Measured throughput and latency meet the declared demand.",
    .remedy = "Stripe local NVMe disks or use a parallel file system, and measure again.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
