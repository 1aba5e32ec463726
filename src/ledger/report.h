// How entries and verification look: columns and sentences for people, JSON for machines. Any thread may call these.
#pragma once

#include <span>
#include <string>

#include "base/base.h"

namespace ashlar::ledger {

struct Entry;
struct VerifyReport;

// The entry's members under their own names; its RFC 8785 form is what was hashed.
base::Json EntryToJson(const Entry& entry);

// A table with one row for each entry, long bodies cut.
std::string FormatEntries(std::span<const Entry> entries);

// Lines for people: what was checked, at which rate, each fault, the verdict.
std::string FormatReport(const VerifyReport& report);

// {"verdict", "entries", "bytes", "tree_size", "root", "key_source", "checkpoint", "elapsed_seconds",
//  "entries_per_second", "time_went_back", "fault_count", "faults": [{"kind", "sequence", "message"}]}
base::Json ReportToJson(const VerifyReport& report);

}  // namespace ashlar::ledger
