#include "bench/storage/judge.h"

#include <cmath>

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;

constexpr std::string_view kDemandSource = "the stated demand";

// The best sequential run of an operation: who writes a checkpoint chooses the block and the depth that serve best.
const StorageRun* BestSequential(const StorageResult& result, IoOperation operation) {
  const StorageRun* best = nullptr;
  for (const StorageRun& run : result.runs) {
    if (run.cell.pattern != AccessPattern::kSequential || run.cell.operation != operation) continue;
    if (!std::isfinite(run.Bandwidth().rate)) continue;
    if (best == nullptr || run.Bandwidth().rate > best->Bandwidth().rate) best = &run;
  }
  return best;
}

struct RateDemand {
  std::string id;
  IoOperation operation = IoOperation::kRead;
  std::optional<base::BytesPerSecond> required;
  std::string why;  // "80 GiB each 30 min within 3.5 % of the time"
  std::string source;
  std::string key;  // what to state: "checkpoint_bytes=80G,interval=30m"
};

// Figures that a page cache or memory gave say nothing about the disk.
std::string Untrusted(const StorageResult& result) {
  if (result.direct) return "";
  return fmt::format("measured through the page cache: {}. Measure a folder whose file system takes O_DIRECT",
                     result.direct_reason);
}

Finding JudgeRate(const StorageResult& result, const RateDemand& demand) {
  const StorageRun* run = BestSequential(result, demand.operation);
  Finding finding;
  finding.id = demand.id;
  finding.unit = "bytes_per_second";
  if (run != nullptr) {
    finding.value = base::NumberOrNull(run->Bandwidth().rate);
    finding.read_from = fmt::format("ashlar bench storage {}: {}", result.path, CellName(run->cell));
  }
  const std::string untrusted = Untrusted(result);
  if (!demand.required) {
    finding.verdict = Verdict::kNotApplicable;
    finding.reason = fmt::format("no demand is stated; for a verdict give --demand {}", demand.key);
    if (!untrusted.empty()) finding.reason += "; " + untrusted;
    return finding;
  }
  finding.expectation = fmt::format(">= {} ({})", base::HumanRate(*demand.required), demand.why);
  finding.expectation_source = demand.source;
  if (run == nullptr) {
    finding.reason = fmt::format("no sequential {} was measured: leave --pattern and --operation out",
                                 OperationName(demand.operation));
  } else if (!untrusted.empty()) {
    finding.reason = untrusted;
  } else if (run->Bandwidth().rate >= demand.required->rate) {
    finding.verdict = Verdict::kPass;
  } else {
    finding.verdict = Verdict::kFail;
    finding.reason = fmt::format("{} is {:.0f} % of what is needed: use faster storage, or ask less of it",
                                 base::HumanRate(run->Bandwidth()),
                                 100 * run->Bandwidth().rate / demand.required->rate);
  }
  return finding;
}

RateDemand CheckpointDemand(const std::optional<StorageDemand>& demand) {
  RateDemand rate{.id = "storage-checkpoint-write",
                  .operation = IoOperation::kWrite,
                  .required = std::nullopt,
                  .why = "",
                  .source = "",
                  .key = "checkpoint_bytes=80G,interval=30m"};
  if (!demand || !demand->checkpoint) return rate;
  rate.required = RequiredWriteRate(*demand);
  rate.why = fmt::format("{} each {} within {:.3g} % of the time", base::HumanBytes(*demand->checkpoint),
                         base::HumanDuration(demand->interval), 100 * demand->stall_share);
  rate.source = demand->stall_share_source == kDemandSource
                    ? std::string(kDemandSource)
                    : fmt::format("{}; stall share: {}", kDemandSource, demand->stall_share_source);
  return rate;
}

RateDemand LoadingDemand(const std::optional<StorageDemand>& demand) {
  RateDemand rate{.id = "storage-loading-read",
                  .operation = IoOperation::kRead,
                  .required = std::nullopt,
                  .why = "the data loader's rate",
                  .source = std::string(kDemandSource),
                  .key = "loading_rate=2G"};
  if (demand) rate.required = demand->loading;
  return rate;
}

Finding JudgeSync(const StorageResult& result) {
  Finding finding;
  finding.id = "storage-fsync-latency";
  finding.unit = "seconds";
  if (result.sync) {
    finding.value = base::NumberOrNull(absl::ToDoubleSeconds(result.sync->latency.p99));
    finding.read_from = fmt::format("ashlar bench storage {}: fdatasync p99", result.path);
  }
  if (!result.demand || !result.demand->sync_p99) {
    finding.verdict = Verdict::kNotApplicable;
    finding.reason = "no demand is stated; for a verdict give --demand fsync_p99=10ms";
    return finding;
  }
  const absl::Duration wanted = *result.demand->sync_p99;
  finding.expectation = fmt::format("p99 <= {}", base::HumanDuration(wanted));
  finding.expectation_source = std::string(kDemandSource);
  if (!result.sync) {
    finding.reason = "fsync was not measured: leave --skip out and see the notes";
  } else if (result.target.kind == StorageKind::kMemory) {
    finding.reason = fmt::format("fsync means nothing on {}: name a folder on a disk", result.target.filesystem);
  } else if (result.sync->latency.p99 <= wanted) {
    finding.verdict = Verdict::kPass;
  } else {
    finding.verdict = Verdict::kFail;
    finding.reason = fmt::format("one call in a hundred takes {} or more: put logs on faster storage",
                                 base::HumanDuration(result.sync->latency.p99));
  }
  return finding;
}

}  // namespace

base::BytesPerSecond RequiredWriteRate(const StorageDemand& demand) {
  const double seconds = demand.stall_share * absl::ToDoubleSeconds(demand.interval);
  return {static_cast<double>(demand.checkpoint->count) / seconds};
}

std::vector<Finding> JudgeStorage(const StorageResult& result) {
  return {JudgeRate(result, CheckpointDemand(result.demand)), JudgeRate(result, LoadingDemand(result.demand)),
          JudgeSync(result)};
}

}  // namespace ashlar::bench
