#include "cli/assessed_ledger.h"

#include <utility>

namespace ashlar::cli {

base::StatusOr<AssessedLedger> OpenAssessedLedger(const CommonOptions& options, std::string_view purpose) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json config, LoadConfig(options));
  ASHLAR_ASSIGN_OR_RETURN(const std::string url, LedgerUrl(options));
  auto ledger = ledger::Ledger::Open({.url = url, .create = false, .read_only = true}, base::SystemClock());
  if (!ledger.ok()) {
    const bool missing = ledger.status().code() == base::StatusCode::kNotFound;
    const std::string first = fmt::format("nothing to {} yet, run `ashlar up --once` first", purpose);
    return missing ? base::Annotate(ledger.status(), first) : ledger.status();
  }
  ASHLAR_ASSIGN_OR_RETURN(ledger::VerifyReport report, (*ledger)->Verify({}));
  ASHLAR_ASSIGN_OR_RETURN(assess::Evidence evidence,
                          assess::Evidence::Load(**ledger, config, base::SystemClock().Now()));
  evidence.SetLedgerFacts({report.entries, report.ok(), report.ok() ? "" : report.faults.front().message});
  return AssessedLedger{std::move(*ledger), std::move(report), std::move(evidence)};
}

}  // namespace ashlar::cli
