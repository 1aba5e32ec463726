#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No scaling replay is in the ledger: the autoscaler is not part of this version.",
                          "ashlar fleet scale");
}

}  // namespace

constinit const Consideration kOpsAutoscale = {
    .id = "ops-autoscale",
    .pillar = Pillar::kOperations,
    .question = "Does the number of machines follow demand without flapping?",
    .why = "Scaling that flaps costs more than none.",
    .proof = "The target follows demand in replay, and does not flap.",
    .remedy = "Replay the rules on recorded demand and widen the band until they are calm.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
