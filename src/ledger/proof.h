// Proofs as documents: made where the ledger is, checked anywhere with the public key alone.
//
// Format: docs/formats/ledger.md. The hashes are those of RFC 6962 sections 2.1.1 and 2.1.2. Any thread may call these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "ledger/checkpoint.h"

namespace ashlar::ledger {

using ProofPath = std::vector<base::Sha256Digest>;

// What a proof that holds says.
struct ProvenFact {
  std::string statement;  // one sentence for people
  Checkpoint checkpoint;  // the signed head that it rests on
};

// Checks a proof document of Ledger::ProveEntry or ProveConsistency. kInvalidArgument when it is no such document,
// kResourceExhausted over kMaxProofBytes, kDataLoss when it does not hold.
base::StatusOr<ProvenFact> VerifyProof(std::string_view document, const VerifierKey& key);

}  // namespace ashlar::ledger
