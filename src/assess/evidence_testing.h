// Evidence for tests: none at all, and a healthy machine that was measured twice.
#pragma once

#include <string>
#include <string_view>

#include "assess/evidence.h"

namespace ashlar::assess {

// 2026-01-02T03:04:05Z, the time of every assessment in tests.
absl::Time TestTime();

// An entry as the ledger would give it; `body` is JSON text. Aborts the test when it is not JSON.
ledger::Entry TestEntry(uint64_t sequence, std::string_view kind, std::string_view body);

// No entry, no configuration, ledger not verified.
Evidence NoEvidence();

// Two runs on one machine without GPU: identity, passing checks, five collectives, storage that meets its demand, and a
// ledger that verifies.
Evidence HealthyMachine();

// The body of a bench.coll entry: one row of 64 MiB with that bus bandwidth.
std::string CollectiveBody(std::string_view collective, double busbw_bytes_per_second, int wrong);

// The body of a node.check entry with one finding of that id and verdict.
std::string CheckBody(std::string_view id, std::string_view verdict);

// The body of a node.identity entry of a virtual machine without GPU, booted an hour before TestTime().
std::string IdentityBody();

}  // namespace ashlar::assess
