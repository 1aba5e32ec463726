#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No quota drill is in the ledger: the model gateway is not part of this version.",
                          "ashlar gateway");
}

}  // namespace

constinit const Consideration kSecQuotas = {
    .id = "sec-quotas",
    .pillar = Pillar::kSecurity,
    .question = "Does each route have limits, and was a burst over them refused?",
    .why = "One client in a loop can take the service from all others, and its bill with it.",
    .proof = "Limits exist for every route, and a burst over the limit was refused.",
    .remedy = "Set requests, tokens and concurrency for each subject and model.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
