#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No access report is in the ledger: roles are not part of this version.", "ashlar gateway");
}

}  // namespace

constinit const Consideration kSecAccess = {
    .id = "sec-access",
    .pillar = Pillar::kSecurity,
    .question = "Is every route and operation guarded by a role, and is no grant broader than its use?",
    .why = "Unused and over-broad grants are what an intruder finds first.",
    .proof = "Every route and operation is guarded; unused and over-broad grants are listed.",
    .remedy = "Give roles through the identity provider and remove what is not used.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
