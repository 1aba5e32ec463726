// The parts of the page that show measurements: the machine, bus bandwidth, storage, health checks.
//
// Each returns "" when the ledger has nothing to show. Malformed entries are left out: the scorecard says that they
// are.
#pragma once

#include <string>

#include "assess/evidence.h"

namespace ashlar::assess {

// A list of what the newest machine is: processor, memory, GPUs, kernel.
std::string MachineFacts(const Evidence& evidence);

// The newest run of each collective as curves of bus bandwidth over message size, with the 95 % interval as band.
std::string BandwidthSection(const Evidence& evidence);

// The newest storage measurement: bandwidth table and latency percentiles.
std::string StorageSection(const Evidence& evidence);

// Every finding of the newest checks of each machine.
std::string CheckSection(const Evidence& evidence);

// A verdict as symbol and word in its colour.
std::string VerdictSpan(base::Verdict verdict);

// A value of a finding or judgement for people: bytes and rates with their unit, text as it is, objects as JSON.
std::string ValueText(const base::Json& value, const std::string& unit);

}  // namespace ashlar::assess
