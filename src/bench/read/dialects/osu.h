// Reads the text of the OSU micro-benchmarks, 4.4 to 7.5: latency and bandwidth by size, of pairs and of collectives.
//
// Format: osu_util.c, osu_util.h and osu_util_mpi.c of mvapich.cse.ohio-state.edu/benchmarks. A table has
// no end line, and its heading does not say which sizes were asked for: a sweep is known to be whole only when it runs
// from the smallest size to the largest that the tool takes by default. MB is 10^6 bytes.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakeOsuReader(EmitRun emit);

}  // namespace ashlar::bench
