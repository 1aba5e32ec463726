// Files as they were before gzip or zstd. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/base.h"

namespace ashlar::bench {

struct Unpacked {
  std::string text;
  // Why the packed data ended early, "" when it did not: what came before it is in `text`.
  std::string damage;
};

// By the first bytes: gzip (RFC 1952, several members one after another), zstd (RFC 8878, likewise) or as it is.
// kResourceExhausted over `most_bytes` unpacked.
base::StatusOr<Unpacked> Unpack(std::string bytes, uint64_t most_bytes);

}  // namespace ashlar::bench
