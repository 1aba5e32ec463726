#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion(
      "No backup and no restore drill are in the ledger: backups are not part of this "
      "version.",
      "ashlar vault snapshot");
}

}  // namespace

constinit const Consideration kRelBackup = {
    .id = "rel-backup",
    .pillar = Pillar::kReliability,
    .question = "Are model, data and configuration backed up, and was a restore tried?",
    .why = "A backup that was never restored is a hope; a replica follows a deletion faithfully.",
    .proof = "Age of the last backup, and the last restore drill with its duration.",
    .remedy = "Schedule verified backups and time a restore drill regularly.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
