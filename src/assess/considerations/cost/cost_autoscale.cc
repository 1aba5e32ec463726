#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No scaling history is in the ledger: the autoscaler is not part of this version.",
                          "ashlar fleet scale");
}

}  // namespace

constinit const Consideration kCostAutoscale = {
    .id = "cost-autoscale",
    .pillar = Pillar::kCost,
    .question = "Is capacity paid for only while it is needed?",
    .why = "A fixed fleet is paid for at night and too small at noon.",
    .proof = "Scaling is on, and its replayed saving against a fixed size.",
    .remedy = "Scale on queue and load, and replay the rules on history before turning them on.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
