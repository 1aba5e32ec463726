// Signing of heads, the half of the checkpoint format that needs the private key. Any thread may call it.
#pragma once

#include <string>

#include "base/base.h"
#include "ledger/ed25519.h"
#include "ledger/merkle.h"

namespace ashlar::ledger {

// The signed note over `tree` under the ledger's name. kInternal when OpenSSL fails.
base::StatusOr<std::string> WriteCheckpoint(const std::string& origin, const TreeHead& tree, const SigningKey& key);

}  // namespace ashlar::ledger
