// How a collective's bandwidth runs over its sizes: dips between neighbours, and whether the largest sizes keep what
// was reached. One average over all sizes hides both.
//
// Thresholds: data/bench/curve.yaml. Pure; any thread.
#pragma once

#include "base/base.h"
#include "bench/read/record.h"

namespace ashlar::bench {

// What is allowed; CurveLimitsOf reads it from the data. Errors name file and key.
struct CurveLimits {
  uint64_t from_bytes = 0;   // smaller sizes are latency
  double dip_share = 0;      // a row may be so much below both neighbours
  double plateau_share = 0;  // of the best, what the largest size keeps
};
base::StatusOr<CurveLimits> CurveLimitsOf(const base::Json& data);
// Those of data/bench/curve.yaml.
const base::StatusOr<CurveLimits>& StandardCurveLimits();

// "read-curve": fail with the rows' lines, not_applicable with fewer than three sizes that count. Its value has the
// median bus bandwidth of the three largest sizes and the time of the smallest.
base::Finding CheckCurve(const RunRecord& record, const CurveLimits& limits);

}  // namespace ashlar::bench
