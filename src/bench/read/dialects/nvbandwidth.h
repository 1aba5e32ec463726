// Reads the text of NVIDIA/nvbandwidth: one matrix of copy bandwidths (GB/s, 10^9) or latencies (ns) for each test.
//
// Format: nvbandwidth 0.4 to 0.8, common.cpp and output.cpp. The tool prints no end line; each matrix ends with its
// sum.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakeNvbandwidthReader(EmitRun emit);

}  // namespace ashlar::bench
