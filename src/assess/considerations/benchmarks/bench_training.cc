#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No training benchmark is in the ledger: it is not part of this version.",
                          "ashlar bench train");
}

}  // namespace

constinit const Consideration kBenchTraining = {
    .id = "bench-training",
    .pillar = Pillar::kBenchmarks,
    .question = "Does a Megatron-LM training run reach the expected speed and loss?",
    .why = "Parts that are fast alone can be slow together.",
    .proof = "Tokens per second, TFLOP/s per device, scaling, and the loss as expected.",
    .remedy = "Run the training test and compare it with the reference of the machine size.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
