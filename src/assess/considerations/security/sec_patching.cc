#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No update scan is in the ledger: the scan is not part of this version.",
                          "ashlar fleet scan");
}

}  // namespace

constinit const Consideration kSecPatching = {
    .id = "sec-patching",
    .pillar = Pillar::kSecurity,
    .question = "Is no security update older than the declared age?",
    .why = "Known holes are the ones that are used.",
    .proof = "No pending security update on hosts and images older than the declared age.",
    .remedy = "Apply pending security updates through the rolling updater.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
