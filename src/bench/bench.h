// Benchmarks of one machine or many: collectives and storage. Other rooms include this facade only.
#pragma once

#include "bench/coll/arguments.h"              // IWYU pragma: export
#include "bench/coll/collectives.h"            // IWYU pragma: export
#include "bench/coll/hostfile.h"               // IWYU pragma: export
#include "bench/coll/limits.h"                 // IWYU pragma: export
#include "bench/coll/output_file.h"            // IWYU pragma: export
#include "bench/coll/report.h"                 // IWYU pragma: export
#include "bench/coll/table.h"                  // IWYU pragma: export
#include "bench/read/limits.h"                 // IWYU pragma: export
#include "bench/read/reader.h"                 // IWYU pragma: export
#include "bench/read/summary.h"                // IWYU pragma: export
#include "bench/storage/limits.h"              // IWYU pragma: export
#include "bench/storage/measure.h"             // IWYU pragma: export
#include "bench/storage/options.h"             // IWYU pragma: export
#include "bench/storage/result.h"              // IWYU pragma: export
#include "bench/validate/collective_tester.h"  // IWYU pragma: export
#include "bench/validate/node_tester.h"        // IWYU pragma: export
#include "bench/validate/simulated_tester.h"   // IWYU pragma: export
#include "bench/validate/validation.h"         // IWYU pragma: export
