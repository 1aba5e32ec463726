#include "service/validation.h"

#include <array>
#include <utility>

#include "bench/bench.h"
#include "node/node.h"
#include "service/limits.h"

namespace ashlar::service {
namespace {

constexpr std::array<const char*, 5> kCollectives = {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                                     "reduce"};

// One run in progress: what its steps share.
class Run {
 public:
  Run(ledger::Ledger& ledger, const ValidationOptions& options)
      : ledger_(ledger), options_(options), id_(base::NewId(base::SystemClock().Now())) {}

  base::Status Identity();
  base::Status Checks();
  base::Status Collectives();
  base::Status Storage();
  base::StatusOr<Validation> Scorecard();

 private:
  base::Status Append(std::string kind, base::Json body);
  // Keeps what could not be run; only a stop request ends the validation.
  base::Status Problem(std::string_view step, const base::Status& status);
  void Progress(const std::string& line) const {
    if (options_.on_progress) options_.on_progress(line);
  }
  base::StatusOr<assess::LedgerFacts> VerifyLedger();
  base::Status Collective(const char* name);

  ledger::Ledger& ledger_;
  const ValidationOptions& options_;
  const std::string id_;
  std::string host_ = "localhost";
  std::string azure_size_;
  base::Json fingerprint_;
  std::vector<std::string> problems_;
};

base::Status Run::Append(std::string kind, base::Json body) {
  body.as_object()["run"] = id_;
  return ledger_.Append({std::move(kind), host_, "ashlar up", std::move(body)}).status();
}

base::Status Run::Problem(std::string_view step, const base::Status& status) {
  if (status.code() == base::StatusCode::kCancelled) return status;
  problems_.push_back(fmt::format("{}: {}", step, base::Message(status)));
  Progress(fmt::format("  could not run: {}", problems_.back()));
  return base::OkStatus();
}

base::Status Run::Identity() {
  Progress("reading what this machine is");
  node::IdentitySources sources;
  sources.azure = node::MakeAzureFetch();
  const node::Identity identity = node::ReadIdentity(sources);
  if (identity.host_name) host_ = *identity.host_name;
  if (identity.azure && identity.azure->size) azure_size_ = *identity.azure->size;
  fingerprint_ = node::MachineFingerprint(identity);
  base::Json body = node::IdentityToJson(identity);
  body.as_object()["fingerprint"] = fingerprint_;
  return Append("node.identity", std::move(body));
}

base::Status Run::Checks() {
  Progress("checking its health");
  node::CheckMachineRequest request;
  request.configuration = options_.config;
  request.size = azure_size_;
  request.writable_directory = options_.folder;
  request.run.stop = options_.stop;
  const auto findings = node::CheckMachine(request);
  if (!findings.ok()) return findings.status();  // the configuration is wrong: say so before anything long
  base::JsonArray list;
  for (const base::Finding& finding : *findings) list.push_back(base::FindingToJson(finding));
  return Append("node.check", base::JsonObject{{"findings", std::move(list)}});
}

base::Status Run::Collective(const char* name) {
  bench::CollectiveRequest request;
  request.arguments = {{"collective", name}, {"budget", fmt::format("{}s", absl::ToInt64Seconds(kCollectiveBudget))}};
  request.rank_command = {options_.program, "bench", "coll"};
  request.machine = fingerprint_;
  request.stop = options_.stop;
  const auto run = bench::RunCollectives(request);
  if (!run.ok()) return Problem(name, run.status());
  if (!run->fault.empty()) problems_.push_back(fmt::format("{}: {}", name, run->fault));
  for (const base::Json& document : run->documents) ASHLAR_RETURN_IF_ERROR(Append("bench.coll", document));
  return base::OkStatus();
}

base::Status Run::Collectives() {
  for (const char* name : kCollectives) {
    Progress(fmt::format("measuring the bandwidth of {}", name));
    ASHLAR_RETURN_IF_ERROR(Collective(name));
  }
  return base::OkStatus();
}

base::Status Run::Storage() {
  bench::StorageOptions storage;
  storage.path = options_.folder;
  storage.run = id_;
  storage.budget = kStorageBudget;
  if (const base::Json* demand = base::FindPath(options_.config, "storage.demand")) {
    ASHLAR_ASSIGN_OR_RETURN(storage.demand, bench::StorageDemandFromJson(*demand));
  }
  Progress("measuring the storage");
  const auto result = bench::MeasureStorage(storage, {}, options_.stop);
  if (!result.ok()) return Problem("storage", result.status());
  return Append("bench.storage", bench::StorageResultToJson(*result));
}

base::StatusOr<assess::LedgerFacts> Run::VerifyLedger() {
  ASHLAR_ASSIGN_OR_RETURN(const ledger::VerifyReport report, ledger_.Verify({}));
  return assess::LedgerFacts{report.entries, report.ok(), report.ok() ? "" : report.faults.front().message};
}

base::StatusOr<Validation> Run::Scorecard() {
  Progress("verifying the ledger and judging");
  ASHLAR_ASSIGN_OR_RETURN(assess::LedgerFacts facts, VerifyLedger());
  ASHLAR_ASSIGN_OR_RETURN(assess::Evidence evidence,
                          assess::Evidence::Load(ledger_, options_.config, base::SystemClock().Now()));
  evidence.SetLedgerFacts(std::move(facts));
  assess::Scorecard scorecard = assess::Assess(evidence);
  base::Json body = assess::ScorecardToJson(scorecard);
  base::JsonArray problems;
  for (const std::string& problem : problems_) problems.emplace_back(problem);
  body.as_object()["problems"] = std::move(problems);
  ASHLAR_RETURN_IF_ERROR(Append("assess.scorecard", std::move(body)));
  return Validation{std::move(evidence), std::move(scorecard), std::move(problems_)};
}

}  // namespace

base::StatusOr<Validation> Validate(ledger::Ledger& ledger, const ValidationOptions& options) {
  Run run(ledger, options);
  ASHLAR_RETURN_IF_ERROR(run.Identity());
  ASHLAR_RETURN_IF_ERROR(run.Checks());
  if (options.collectives) ASHLAR_RETURN_IF_ERROR(run.Collectives());
  if (options.storage) ASHLAR_RETURN_IF_ERROR(run.Storage());
  if (options.stop.stop_requested()) return base::Error(base::StatusCode::kCancelled, "interrupted");
  return run.Scorecard();
}

}  // namespace ashlar::service
