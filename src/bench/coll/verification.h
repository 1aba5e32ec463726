// Whether a collective gives the right result, element by element, on data whose result is known beforehand.
//
// Every rank calls it with the same arguments, on the backend's thread.
#pragma once

#include <cstdint>

#include "base/base.h"
#include "bench/coll/backend.h"
#include "bench/coll/layout.h"

namespace ashlar::bench {

// Fills the buffers, runs the collective once and counts wrong elements over all ranks (the same number on each).
// `seed` must differ from check to check. Errors as the backend's.
base::StatusOr<uint64_t> CountWrongResults(CollectiveBackend& backend, const MessagePlan& plan,
                                           const CollectiveCall& call, uint64_t seed);

}  // namespace ashlar::bench
