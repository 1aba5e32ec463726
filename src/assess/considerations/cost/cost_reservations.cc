#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No usage and prices are in the ledger: the cost plan is not part of this version.",
                          "ashlar cost plan");
}

}  // namespace

constinit const Consideration kCostReservations = {
    .id = "cost-reservations",
    .pillar = Pillar::kCost,
    .question = "Is steady use covered by the reservations that cost least?",
    .why = "Steady machines at the hourly price cost about twice what they need to.",
    .proof = "Coverage, utilisation, and the distance from the optimal portfolio.",
    .remedy = "Buy the portfolio that the plan computes from use and prices.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
