#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No revalidation is in the ledger: the model registry is not part of this version.",
                          "ashlar model revalidate");
}

}  // namespace

constinit const Consideration kSecRevalidation = {
    .id = "sec-revalidation",
    .pillar = Pillar::kSecurity,
    .question = "Did each served model pass its tests on fresh data within the interval?",
    .why = "A model that was good at release is not good for ever.",
    .proof = "Each served model has a passing revalidation younger than its interval.",
    .remedy = "Schedule revalidation with pass criteria, and demote a model that fails.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
