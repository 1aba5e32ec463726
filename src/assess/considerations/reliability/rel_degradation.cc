#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No degradation drill is in the ledger: the model gateway is not part of this version.",
                          "ashlar gateway");
}

}  // namespace

constinit const Consideration kRelDegradation = {
    .id = "rel-degradation",
    .pillar = Pillar::kReliability,
    .question = "When the main model fails under load, are requests still answered in a simpler way?",
    .why = "Without a fallback, a fault in one model or half of the machines is a fault of the whole service.",
    .proof = "A drill: the primary was killed under load and the fallback answered.",
    .remedy = "Give each route a fallback model and limits, and rehearse the failure.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
