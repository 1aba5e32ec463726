// Reads the text of the Intel MPI Benchmarks: IMB-MPI1, IMB-NBC, IMB-RMA, IMB-EXT; one run for each block, which is one
// benchmark on one number of processes.
//
// Format: intel/mpi-benchmarks src_c/IMB_output.c. The program's head says how far sizes go, its last line that all
// blocks are there. "Mbytes/sec" are 10^6 bytes since 2018 and 2^20 bytes up to 4.x; without a version that settles it,
// the column is left out, for time and size say the same.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakeImbReader(EmitRun emit);

}  // namespace ashlar::bench
