// Proof documents, the half that is made where the ledger is. Any thread may call these.
#pragma once

#include <string>

#include "base/base.h"
#include "ledger/proof.h"

namespace ashlar::ledger {

// `entry` is the canonical bytes. The checkpoint's tree is the one that `path` leads to.
base::Json WriteInclusionProof(const std::string& entry, const ProofPath& path, const Checkpoint& checkpoint);

struct EarlierTree {
  uint64_t size = 0;
  base::Sha256Digest root{};
};
base::Json WriteConsistencyProof(const EarlierTree& earlier, const ProofPath& path, const Checkpoint& checkpoint);

}  // namespace ashlar::ledger
