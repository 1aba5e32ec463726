#include "bench/storage/result.h"

namespace ashlar::bench {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

Json SecondsOf(absl::Duration duration) { return base::NumberOrNull(absl::ToDoubleSeconds(duration)); }

Json LatencyToJson(const LatencySummary& latency) {
  return JsonObject{{"p50", SecondsOf(latency.p50)}, {"p95", SecondsOf(latency.p95)},
                    {"p99", SecondsOf(latency.p99)}, {"p999", SecondsOf(latency.p999)},
                    {"max", SecondsOf(latency.max)}, {"mean", SecondsOf(latency.mean)}};
}

Json RunToJson(const StorageRun& run) {
  return JsonObject{{"name", CellName(run.cell)},
                    {"pattern", std::string(PatternName(run.cell.pattern))},
                    {"operation", std::string(OperationName(run.cell.operation))},
                    {"block_bytes", run.cell.block.count},
                    {"depth", run.cell.depth},
                    {"bytes", run.operations * run.cell.block.count},
                    {"seconds", SecondsOf(run.elapsed)},
                    {"bandwidth_bytes_per_second", base::NumberOrNull(run.Bandwidth().rate)},
                    {"operations_per_second", base::NumberOrNull(run.OperationsPerSecond())},
                    {"latency_seconds", LatencyToJson(run.latency)}};
}

Json DemandToJson(const StorageDemand& demand) {
  JsonObject json;
  if (demand.checkpoint) {
    json["checkpoint_bytes"] = demand.checkpoint->count;
    json["interval_seconds"] = SecondsOf(demand.interval);
    json["stall_share"] = base::NumberOrNull(demand.stall_share);
    json["stall_share_source"] = demand.stall_share_source;
  }
  if (demand.loading) json["loading_rate_bytes_per_second"] = base::NumberOrNull(demand.loading->rate);
  if (demand.sync_p99) json["fsync_p99_seconds"] = SecondsOf(*demand.sync_p99);
  return json;
}

Json MetadataToJson(const MetadataResult& metadata) {
  return JsonObject{{"files", metadata.files},
                    {"create_per_second", base::NumberOrNull(metadata.create_per_second)},
                    {"stat_per_second", base::NumberOrNull(metadata.stat_per_second)},
                    {"remove_per_second", base::NumberOrNull(metadata.remove_per_second)}};
}

std::string RowsForPeople(const StorageResult& result) {
  base::TextTable table;
  table.rows.push_back({"access", "bandwidth", "operations/s", "p50", "p99", "p99.9", "max"});
  table.right = {false, true, true, true, true, true, true};
  for (const StorageRun& run : result.runs) {
    table.rows.push_back({CellName(run.cell), base::HumanRate(run.Bandwidth()),
                          fmt::format("{:.0f}", run.OperationsPerSecond()), base::HumanDuration(run.latency.p50),
                          base::HumanDuration(run.latency.p99), base::HumanDuration(run.latency.p999),
                          base::HumanDuration(run.latency.max)});
  }
  return base::FormatTable(table);
}

}  // namespace

LatencySummary SummariseLatency(const stats::LatencyHistogram& histogram) {
  return {.p50 = histogram.Quantile(0.5),
          .p95 = histogram.Quantile(0.95),
          .p99 = histogram.Quantile(0.99),
          .p999 = histogram.Quantile(0.999),
          .max = histogram.Max(),
          .mean = histogram.Mean()};
}

base::BytesPerSecond StorageRun::Bandwidth() const {
  return {static_cast<double>(operations * cell.block.count) / absl::ToDoubleSeconds(elapsed)};
}

double StorageRun::OperationsPerSecond() const {
  return static_cast<double>(operations) / absl::ToDoubleSeconds(elapsed);
}

Json StorageResultToJson(const StorageResult& result) {
  JsonArray runs;
  for (const StorageRun& run : result.runs) runs.push_back(RunToJson(run));
  JsonArray notes;
  for (const std::string& note : result.notes) notes.emplace_back(note);
  JsonArray findings;
  for (const base::Finding& finding : result.findings) findings.push_back(base::FindingToJson(finding));
  Json sync;
  if (result.sync) {
    sync =
        JsonObject{{"operations", result.sync->operations}, {"latency_seconds", LatencyToJson(result.sync->latency)}};
  }
  return JsonObject{{"schema", "ashlar.bench.storage/1"},
                    {"run", result.run},
                    {"path", result.path},
                    {"filesystem", result.target.filesystem},
                    {"kind", std::string(StorageKindName(result.target.kind))},
                    {"device", result.target.device},
                    {"direct", result.direct},
                    {"direct_reason", result.direct_reason},
                    {"engine", result.engine},
                    {"engine_reason", result.engine_reason},
                    {"huge_pages", result.huge_pages},
                    {"size_bytes", result.size.count},
                    {"started", base::Rfc3339(result.started)},
                    {"wall_seconds", SecondsOf(result.wall)},
                    {"runs", std::move(runs)},
                    {"fsync", std::move(sync)},
                    {"metadata", result.metadata ? MetadataToJson(*result.metadata) : Json()},
                    {"notes", std::move(notes)},
                    {"demand", result.demand ? DemandToJson(*result.demand) : Json()},
                    {"findings", std::move(findings)}};
}

std::string FormatStorageResult(const StorageResult& result) {
  std::string text = fmt::format("{}  {} on {} ({}), {} file, {}, {}{}\n", result.path, result.target.filesystem,
                                 result.target.device, StorageKindName(result.target.kind),
                                 base::HumanBytes(result.size), result.engine,
                                 result.direct ? "direct" : "BUFFERED: figures of the page cache, not of the disk",
                                 result.huge_pages ? ", huge pages" : "");
  if (!result.direct_reason.empty()) text += fmt::format("  buffered: {}\n", result.direct_reason);
  if (!result.engine_reason.empty()) text += fmt::format("  threads: {}\n", result.engine_reason);
  text += "\n" + RowsForPeople(result) + "\n";
  if (result.sync) {
    text += fmt::format("fsync of 4 KiB: p50 {}, p99 {}, p99.9 {}, max {} ({} calls)\n",
                        base::HumanDuration(result.sync->latency.p50), base::HumanDuration(result.sync->latency.p99),
                        base::HumanDuration(result.sync->latency.p999), base::HumanDuration(result.sync->latency.max),
                        result.sync->operations);
  }
  if (result.metadata) {
    text += fmt::format("names: create {:.0f}/s, stat {:.0f}/s, remove {:.0f}/s ({} files)\n",
                        result.metadata->create_per_second, result.metadata->stat_per_second,
                        result.metadata->remove_per_second, result.metadata->files);
  }
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  return text;
}

}  // namespace ashlar::bench
