// The considerations, the scorecard and its reports. Other rooms include this facade only.
#pragma once

#include "assess/collectives.h"    // IWYU pragma: export
#include "assess/consideration.h"  // IWYU pragma: export
#include "assess/evidence.h"       // IWYU pragma: export
#include "assess/report/report.h"  // IWYU pragma: export
#include "assess/scorecard.h"      // IWYU pragma: export
