// The ledger's private key on disk. Any thread and several processes may call these at once.
#pragma once

#include <string>

#include "base/base.h"
#include "ledger/ed25519.h"

namespace ashlar::ledger {

// The key in `path`. kNotFound when there is no file; kPermissionDenied when others than its owner may read it;
// kInvalidArgument when it holds something else; kResourceExhausted over kMaxKeyFileBytes.
base::StatusOr<SigningKey> LoadSigningKey(const std::string& path);

// The same; makes a key (PKCS #8 PEM, mode 0600, durable) when there is none. Of several that make one at once, one
// wins and all load it.
base::StatusOr<SigningKey> LoadOrMakeSigningKey(const std::string& path);

// Where the key is when the caller names no place: ledger.key beside an SQLite file, else in
// $XDG_STATE_HOME/ashlar or ~/.local/state/ashlar. kInvalidArgument when neither variable is set.
base::StatusOr<std::string> DefaultKeyPath(const std::string& url);

}  // namespace ashlar::ledger
