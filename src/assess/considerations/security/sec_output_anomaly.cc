#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No output measures are in the ledger: the model gateway is not part of this version.",
                          "ashlar gateway");
}

}  // namespace

constinit const Consideration kSecOutputAnomaly = {
    .id = "sec-output-anomaly",
    .pillar = Pillar::kSecurity,
    .question = "Are model outputs watched against learned bands, and was a drill detected?",
    .why = "A model can answer fast, with status 200, and wrongly.",
    .proof = "Measures and bands exist, and a drill was detected.",
    .remedy = "Measure latency, length, refusals and scores at the gateway, and rehearse a deviation.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
