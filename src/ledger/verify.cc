#include "ledger/verify.h"

#include "ledger/auditor.h"
#include "ledger/committer.h"
#include "ledger/limits.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

constexpr uint64_t kProgressEntries = 65'536;

void AddFault(VerifyReport& report, FaultKind kind, std::string message) {
  ++report.fault_count;
  report.faults.push_back({.kind = kind, .sequence = std::nullopt, .message = std::move(message)});
}

// The head, when its signature holds; else a fault.
void ReadSignedHead(Store& store, const VerifierKey& key, AuditTarget& target, VerifyReport& report) {
  const auto stored = store.ReadHead();
  const auto end = store.End();
  if (!stored.ok() || !end.ok()) {
    AddFault(report, FaultKind::kDamaged, std::string(base::Message(stored.ok() ? end.status() : stored.status())));
    return;
  }
  if (!*stored) {
    if (*end > 0) AddFault(report, FaultKind::kUnsigned, "there are entries, but the signed head was removed");
    return;
  }
  report.tree_size = (*stored)->tree_size;
  const auto checkpoint = OpenCheckpoint((*stored)->note, key);
  if (!checkpoint.ok()) {
    AddFault(report, FaultKind::kHeadSignature, std::string(base::Message(checkpoint.status())));
    return;
  }
  report.tree_size = checkpoint->tree_size;
  target.head = *checkpoint;
  if (const auto frontier = OpenHead(**stored, key); frontier.ok()) {
    target.frontier = *frontier;
  } else {
    AddFault(report, FaultKind::kColumns, std::string(base::Message(frontier.status())));
  }
}

base::Status ReadGivenCheckpoint(const VerifyOptions& options, const VerifierKey& key, AuditTarget& target,
                                 VerifyReport& report) {
  if (options.checkpoint.empty()) return base::OkStatus();
  const auto checkpoint = OpenCheckpoint(options.checkpoint, key);
  if (checkpoint.ok()) {
    target.checkpoint = *checkpoint;
  } else if (checkpoint.status().code() == StatusCode::kDataLoss) {
    AddFault(report, FaultKind::kHeadSignature,
             fmt::format("the given checkpoint: {}", base::Message(checkpoint.status())));
  } else {
    return checkpoint.status();
  }
  return base::OkStatus();
}

}  // namespace

base::StatusOr<VerifyReport> VerifyStore(Store& store, const TrustedKey& trusted, const VerifyOptions& options) {
  const absl::Duration start = base::SystemClock().Monotonic();
  VerifyReport report;
  report.key_source = trusted.source;
  ASHLAR_ASSIGN_OR_RETURN(const auto identity, store.ReadIdentity());
  VerifierKey key{.name = identity ? identity->origin : "", .public_key = trusted.public_key};
  if (!options.verifier_key.empty()) {
    ASHLAR_ASSIGN_OR_RETURN(key, ParseVerifierKey(options.verifier_key));
    report.key_source = "given";
  }
  if (!identity || identity->origin != key.name || identity->public_key != key.public_key) {
    AddFault(
        report, FaultKind::kHeadSignature,
        fmt::format("name or key stored in ledger {} are not those of its key ({})", store.Name(), report.key_source));
  }
  AuditTarget target;
  ReadSignedHead(store, key, target, report);
  ASHLAR_RETURN_IF_ERROR(ReadGivenCheckpoint(options, key, target, report));

  Auditor auditor(std::move(target), report);
  base::Status scanned = store.ScanNodes([&auditor](const NodeRow& node) { auditor.AddNode(node); });
  if (scanned.ok()) {
    scanned = store.ScanAll([&](const EntryRow& row) {
      auditor.AddRow(row);
      if (options.progress && report.entries % kProgressEntries == 0) {
        options.progress(report.entries, std::max(report.tree_size, report.entries));
      }
      return base::OkStatus();
    });
  }
  auditor.Finish();
  if (!scanned.ok()) {
    AddFault(report, FaultKind::kDamaged,
             fmt::format("after {} entries the database cannot be read: {}", report.entries, base::Message(scanned)));
  }
  report.elapsed = base::SystemClock().Monotonic() - start;
  return report;
}

}  // namespace ashlar::ledger
