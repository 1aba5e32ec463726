#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No profile is in the ledger: profiling is not part of this version.", "ashlar run");
}

}  // namespace

constinit const Consideration kOpsProfiling = {
    .id = "ops-profiling",
    .pillar = Pillar::kOperations,
    .question = "Is there a recent profile of each job and service, and are regressions named?",
    .why = "Nobody can say what became slower without a picture of how it was.",
    .proof = "A recent profile for each job or service, with regressions named.",
    .remedy = "Sample profiles regularly and compare them.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
