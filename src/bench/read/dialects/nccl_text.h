// Reads the text of nccl-tests since 2.0, of rccl-tests, and of `ashlar bench coll`, which prints the same table.
//
// Format: NVIDIA/nccl-tests src/util.cu and src/common.cu of each version, ROCm/rccl-tests src/common.cu. Columns are
// found by the header line and rows read from the right, since some collectives print an empty reduction.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakeNcclTextReader(EmitRun emit);

}  // namespace ashlar::bench
