// Statistics of samples. Other rooms include this facade only.
#pragma once

#include "stats/latency_histogram.h"  // IWYU pragma: export
#include "stats/limits.h"             // IWYU pragma: export
#include "stats/median_interval.h"    // IWYU pragma: export
#include "stats/quantiles.h"          // IWYU pragma: export
