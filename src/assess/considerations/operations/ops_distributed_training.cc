#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No scaling measurement is in the ledger: the training benchmark is not part of this "
      "version.",
      "ashlar bench train");
}

}  // namespace

constinit const Consideration kOpsDistributedTraining = {
    .id = "ops-distributed-training",
    .pillar = Pillar::kOperations,
    .question = "How well does training scale from one machine to all of them?",
    .why = "Half of the machines can be waiting for the network, and the loss curve does not show it.",
    .proof = "Scaling efficiency measured at 1 to N machines.",
    .remedy = "Measure step time at several sizes and look for the one where efficiency falls.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
