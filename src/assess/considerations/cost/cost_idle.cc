#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No idle hours are in the ledger: idle detection needs samples over days and is not "
      "part of this version.",
      "ashlar cost idle");
}

}  // namespace

constinit const Consideration kCostIdle = {
    .id = "cost-idle",
    .pillar = Pillar::kCost,
    .question = "Are idle machines shut down?",
    .why = "A forgotten GPU machine costs as much as one that works.",
    .proof = "Idle hours and their price over the period.",
    .remedy = "Shut idle machines down on a schedule, with a warning and a way to wake them.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
