#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No job history and prices are in the ledger: the cost plan is not part of this "
      "version.",
      "ashlar cost plan");
}

}  // namespace

constinit const Consideration kCostSpot = {
    .id = "cost-spot",
    .pillar = Pillar::kCost,
    .question = "Does fault-tolerant work run on spot machines where that pays?",
    .why = "Work that checkpoints often can use capacity at a fraction of the price.",
    .proof = "The share of fault-tolerant work on spot, and the expected saving.",
    .remedy = "Move work whose checkpoint fits into the eviction notice to spot machines.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
