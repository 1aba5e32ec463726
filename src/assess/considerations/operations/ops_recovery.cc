#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No recovery drill is in the ledger: supervised jobs are not part of this version.",
                          "ashlar run");
}

}  // namespace

constinit const Consideration kOpsRecovery = {
    .id = "ops-recovery",
    .pillar = Pillar::kOperations,
    .question = "After a kill, did training go on at the expected step with identical state?",
    .why = "A checkpoint that cannot be loaded is found out on the day that it is needed.",
    .proof = "A kill drill: resumed at the expected step with identical state.",
    .remedy = "Run a kill drill and restore the newest valid checkpoint automatically.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
