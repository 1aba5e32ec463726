#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& evidence) {
  const LedgerFacts& facts = evidence.ledger_facts();
  if (!facts.verified.has_value()) return Unknown("the ledger was not verified", "ashlar ledger verify");
  Judgement judgement;
  if (!*facts.verified) {
    judgement.verdict = base::Verdict::kFail;
    judgement.reason = fmt::format("the ledger does not verify: {}", facts.problem);
    judgement.expectation = "every entry and head verifies";
    judgement.expectation_source = "RFC 6962";
    judgement.command = "ashlar ledger verify";
  } else {
    judgement = NotInThisVersion(
        fmt::format("The chain of {} entries verifies; access to models and the detector of unusual access are not "
                    "part of this version.",
                    facts.entries),
        "ashlar gateway");
  }
  judgement.value = base::JsonObject{{"entries", facts.entries}, {"verified", *facts.verified}};
  return judgement;
}

}  // namespace

constinit const Consideration kSecAudit = {
    .id = "sec-audit",
    .pillar = Pillar::kSecurity,
    .question = "Is every access and action recorded so that nobody can change it unseen?",
    .why = "A log that can be edited proves nothing, and unusual access hides in it.",
    .proof = "The chain verifies, refused access is recorded, and the detector of unusual access is on.",
    .remedy =
        "Verify the ledger, keep a checkpoint elsewhere, and route access to models and machines through "
        "Ashlar.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
