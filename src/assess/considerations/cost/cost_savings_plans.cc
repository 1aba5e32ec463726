#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No usage and prices are in the ledger: the cost plan is not part of this version.",
                          "ashlar cost plan");
}

}  // namespace

constinit const Consideration kCostSavingsPlans = {
    .id = "cost-savings-plans",
    .pillar = Pillar::kCost,
    .question = "Is use that moves between sizes and regions covered by the best hourly commitment?",
    .why = "A reservation fits one size; work that moves needs the other kind of commitment.",
    .proof = "Coverage, utilisation, and the distance from the optimum, together with reservations.",
    .remedy = "Buy the commitment that the plan computes.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
