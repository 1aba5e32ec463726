// Reads the text of perftest: ib_write_bw, ib_read_bw, ib_send_bw, ib_atomic_bw and their _lat siblings.
//
// Format: linux-rdma/perftest src/perftest_parameters.h and .c. A table ends with a dashed line, which is what shows
// that it is whole. "MB/sec" of older versions are 2^20 bytes, as "MiB/sec" of newer ones; "Gb/sec" are 10^9 bits. A
// peak of 0.00 was not measured. In a loopback test both ends often write into one log: two headings, then two end
// lines.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakePerftestReader(EmitRun emit);

}  // namespace ashlar::bench
