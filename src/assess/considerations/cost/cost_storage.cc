#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No prices are in the ledger: choosing storage by price is not part of this version.",
                          "ashlar cost storage");
}

}  // namespace

constinit const Consideration kCostStorage = {
    .id = "cost-storage",
    .pillar = Pillar::kCost,
    .question = "Does the storage meet the measured demand at the least cost?",
    .why = "Storage is chosen once, by name, and paid for every month.",
    .proof = "The chosen tier meets the measured demand at least cost.",
    .remedy = "Measure demand and throughput, and compare tiers by price.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
