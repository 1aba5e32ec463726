// The chain behind a verdict, taken from the ledger: consideration, finding, entry, and where the value was read.
//
// Reads; changes nothing. One thread.
#pragma once

#include <string>

#include "assess/assess.h"
#include "base/base.h"
#include "ledger/ledger.h"

namespace ashlar::cli {

// {"id", "kind": "consideration" | "finding" | "entry", "verdict", ..., "evidence": [{"sequence", "entry_kind",
// "subject", "actor", "time", "path", "finding" | "value"}]}. `id` is a consideration (bench-nccl), a finding that
// entries hold (clock-synchronised), or the sequence number of an entry. kNotFound names what there is.
base::StatusOr<base::Json> Explain(ledger::Ledger& ledger, const assess::Scorecard& scorecard, const std::string& id);

// The same for people.
std::string ExplanationText(const base::Json& explanation);

}  // namespace ashlar::cli
