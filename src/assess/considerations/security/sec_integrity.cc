#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No model verification is in the ledger: the model registry is not part of this "
      "version.",
      "ashlar model verify");
}

}  // namespace

constinit const Consideration kSecIntegrity = {
    .id = "sec-integrity",
    .pillar = Pillar::kSecurity,
    .question = "Is every served model signed, and verified within its interval?",
    .why = "A changed weight file changes every answer, and nothing else shows it.",
    .proof = "Every served model was verified within its interval, and a tampered one was found.",
    .remedy = "Sign models when they are pushed and verify them at pull, at serving and on a schedule.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
