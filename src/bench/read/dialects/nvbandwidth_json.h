// Reads the JSON that nvbandwidth writes with -j: one document, one run.
//
// Format: NVIDIA/nvbandwidth json_output.cpp (4a34680). Cells are texts of six significant digits or "N/A"; the sum is
// a number; a test has a status: Passed, Waived, Error, Not Found, or Running when the program ended in it.
#pragma once

#include "bench/read/dialect.h"

namespace ashlar::bench {

void TakeNvbandwidthJson(const base::Json& document, const EmitRun& emit);

}  // namespace ashlar::bench
