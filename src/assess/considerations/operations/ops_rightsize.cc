#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No use over time is in the ledger: sizing advice is not part of this version.",
                          "ashlar cost rightsize");
}

}  // namespace

constinit const Consideration kOpsRightsize = {
    .id = "ops-rightsize",
    .pillar = Pillar::kOperations,
    .question = "Is every machine of a size that fits its real use?",
    .why = "Sizes are guessed before the first run and never looked at again.",
    .proof = "No machine outside its size band without a waiver.",
    .remedy = "Resize by the percentiles of processor, memory, network and GPU use.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
