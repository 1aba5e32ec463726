// Tree hashes over any range of a stored ledger, from leaves and the subtree hashes stored at every 8th level.
//
// Reads through a Store within one transaction of its caller; belongs to the same thread.
#pragma once

#include <cstdint>

#include "base/base.h"
#include "ledger/merkle.h"
#include "ledger/store.h"

namespace ashlar::ledger {

// The RFC 6962 tree hash over entries [begin, end), as RangeHash wants it. At most 256 hashes are read for each bit of
// end - begin. kDataLoss when a stored hash is missing.
base::StatusOr<base::Sha256Digest> HashStoredRange(Store& store, uint64_t begin, uint64_t end);

}  // namespace ashlar::ledger
