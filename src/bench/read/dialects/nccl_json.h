// Reads the JSON that nccl-tests writes with -J (file versions 1 to 3): one document, one run.
//
// Format: NVIDIA/nccl-tests src/util.cu. Truth values are the texts "true" and "false", NaN is "nan", numbers have six
// decimals; only the first device of each process is listed. Environment and arguments are not kept: they hold secrets.
#pragma once

#include "bench/read/dialect.h"

namespace ashlar::bench {

void TakeNcclJson(const base::Json& document, const EmitRun& emit);

}  // namespace ashlar::bench
