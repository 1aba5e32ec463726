#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No update history is in the ledger: rolling updates are not part of this version.",
                          "ashlar fleet patch");
}

}  // namespace

constinit const Consideration kRelRollingUpdates = {
    .id = "rel-rolling-updates",
    .pillar = Pillar::kReliability,
    .question = "Are updates rolled out batch by batch, so that capacity never falls below its floor?",
    .why = "An update of everything at once is an outage; a bad update of everything at once is a long one.",
    .proof = "An update history in which capacity never fell below the floor.",
    .remedy =
        "Drain, patch, reboot and check a batch at a time, and stop at the first batch that does not come "
        "back healthy.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
