#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No model version is in the ledger: the model registry is not part of this version.",
                          "ashlar model rollback");
}

}  // namespace

constinit const Consideration kSecVersions = {
    .id = "sec-versions",
    .pillar = Pillar::kSecurity,
    .question = "Is each served model an immutable version, and was a rollback exercised?",
    .why = "Without versions nobody can say what answered last week, or go back to it.",
    .proof = "Each served model is a version, and a rollback was exercised.",
    .remedy = "Push models as versions and try a rollback.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
