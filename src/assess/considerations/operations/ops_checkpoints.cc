#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No checkpoint is in the ledger: the checkpoint engine is not part of this version.",
                          "ashlar ckpt list");
}

}  // namespace

constinit const Consideration kOpsCheckpoints = {
    .id = "ops-checkpoints",
    .pillar = Pillar::kOperations,
    .question = "Is the newest durable checkpoint younger than the declared interval?",
    .why = "What is not saved is computed again.",
    .proof = "Age of the newest durable checkpoint, within the interval.",
    .remedy = "Save at the interval that the advice computes, with names that sort by step.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
