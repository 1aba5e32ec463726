// Host names to addresses, within a deadline although the system's lookup has none.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/base.h"

namespace ashlar::net {

// A numeric address and a port.
struct Endpoint {
  std::string address;
  uint16_t port = 0;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// True for an IPv4 or IPv6 address in digits: nothing has to be looked up.
bool IsNumericAddress(const std::string& host);

// Looks a name up on a thread of its own and hands at most kMaxAddresses addresses, in the system's order, to `done`
// on that thread. A caller that gave up just ignores the answer; lookups under way are bounded by kMaxPendingLookups.
// kUnavailable for a name that has no address, kResourceExhausted over the bound (returned, and `done` never called).
using Resolved = std::function<void(base::StatusOr<std::vector<std::string>>)>;
base::Status ResolveInBackground(const std::string& host, Resolved done);

// Lookups under way.
int PendingLookups();

}  // namespace ashlar::net
