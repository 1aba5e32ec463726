#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

Judgement Judge(const Evidence& /*evidence*/) {
  return NotInThisVersion("No lineage is in the ledger: the model registry is not part of this version.",
                          "ashlar model lineage");
}

}  // namespace

constinit const Consideration kSecLineage = {
    .id = "sec-lineage",
    .pillar = Pillar::kSecurity,
    .question = "Is the ancestry of each served model complete and authorised?",
    .why = "Data that should not have been used cannot be taken out of a model afterwards.",
    .proof = "Each served model leads back through checkpoint and run to authorised data sets.",
    .remedy = "Record data set, run and checkpoint of each model, and refuse unknown parents.",
    .judge = &Judge,
};

}  // namespace ashlar::assess
