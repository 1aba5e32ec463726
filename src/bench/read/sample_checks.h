// Whether a run without a collective's table can be true and whole: its rows are held against themselves.
//
// No machine is known here and nothing is expected of it; what cannot be checked is never a pass. Pure; any thread.
#pragma once

#include <vector>

#include "base/base.h"
#include "bench/read/record.h"

namespace ashlar::bench {

// read-complete, read-order, and read-correct for runs whose rows say whether their results were right; each with the
// lines that it rests on. None for a record with a collective's table, which CheckConsistency judges.
std::vector<base::Finding> CheckSamples(const RunRecord& record);

}  // namespace ashlar::bench
