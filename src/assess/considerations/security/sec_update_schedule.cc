#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No maintenance window and no update history are in the ledger: updates are not part of "
      "this version.",
      "ashlar fleet patch");
}

}  // namespace

constinit const Consideration kSecUpdateSchedule = {
    .id = "sec-update-schedule",
    .pillar = Pillar::kSecurity,
    .question = "Is there a maintenance window, and did every update fall inside one?",
    .why = "An update at the wrong hour interrupts the run that mattered.",
    .proof = "The window exists, and every update in the history fell inside one.",
    .remedy = "Declare a window for each group and let the updater keep to it.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
