// The ledger, opened to be read, verified, and its entries as evidence: what judging and explaining begin with.
#pragma once

#include <memory>
#include <string_view>

#include "assess/assess.h"
#include "cli/command.h"
#include "ledger/ledger.h"

namespace ashlar::cli {

struct AssessedLedger {
  std::unique_ptr<ledger::Ledger> ledger;
  ledger::VerifyReport report;
  assess::Evidence evidence;
};

// Opens what the options name. kNotFound says that there is nothing to `purpose` ("assess") yet and what to run first.
base::StatusOr<AssessedLedger> OpenAssessedLedger(const CommonOptions& options, std::string_view purpose);

}  // namespace ashlar::cli
