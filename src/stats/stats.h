// Statistics of samples. Other rooms include this facade only.
#pragma once

#include "stats/culprit/diagnosis.h"          // IWYU pragma: export
#include "stats/culprit/evidence.h"           // IWYU pragma: export
#include "stats/culprit/healthy_speed.h"      // IWYU pragma: export
#include "stats/culprit/search.h"             // IWYU pragma: export
#include "stats/culprit/simulated_cluster.h"  // IWYU pragma: export
#include "stats/latency_histogram.h"          // IWYU pragma: export
#include "stats/limits.h"                     // IWYU pragma: export
#include "stats/median_interval.h"            // IWYU pragma: export
#include "stats/quantiles.h"                  // IWYU pragma: export
