// What `ashlar up` exports to Prometheus: the scorecard, the health checks and the benchmarks as gauges.
//
// Text format 0.0.4. The sensors' own series come from node::AppendPrometheus and stand before these.
#pragma once

#include <string>

#include "assess/assess.h"

namespace ashlar::service {

// ashlar_consideration_verdict{id,pillar,verdict} 1, ashlar_check_verdict{id,verdict} 1,
// ashlar_collective_peak_busbw_bytes_per_second{collective,backend,ranks},
// ashlar_storage_bandwidth_bytes_per_second{run}, ashlar_ledger_entries, ashlar_scorecard_timestamp_seconds. What is
// malformed or absent is left out.
void AppendScorecardMetrics(const assess::Scorecard& scorecard, const assess::Evidence& evidence, std::string& out);

// A label value with backslash, quote and line feed escaped.
std::string EscapeLabel(std::string_view value);

}  // namespace ashlar::service
