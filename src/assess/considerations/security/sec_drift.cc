#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No drift verdict is in the ledger: drift watching is not part of this version.",
                          "ashlar model drift");
}

}  // namespace

constinit const Consideration kSecDrift = {
    .id = "sec-drift",
    .pillar = Pillar::kSecurity,
    .question = "Does each served model have a reference and a recent drift verdict?",
    .why = "Inputs move away from what the model was trained on, and accuracy goes before anybody asks.",
    .proof = "Each served model has a reference and a recent drift verdict.",
    .remedy = "Record a reference distribution for each model and compare the stream with it.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
