// `verify`: reads a ledger in one snapshot and lets the auditor judge it. For the thread that owns the store.
#pragma once

#include "base/base.h"
#include "ledger/ledger.h"
#include "ledger/store.h"

namespace ashlar::ledger {

// The public key that the ledger is held against, and where it came from.
struct TrustedKey {
  std::string public_key;
  std::string source;
};

// Errors as Ledger::Verify. `store` is inside a read transaction.
base::StatusOr<VerifyReport> VerifyStore(Store& store, const TrustedKey& key, const VerifyOptions& options);

}  // namespace ashlar::ledger
