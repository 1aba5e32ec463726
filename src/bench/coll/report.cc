#include "bench/coll/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

// Prefixes of variables that change how a collective runs, and words that mean a secret or a rendezvous address.
constexpr std::string_view kReportedNames[] = {"OMPI_MCA_*",
                                               "UCX_*",
                                               "NCCL_*",
                                               "RCCL_*",
                                               "FI_*",
                                               "MPICH_*",
                                               "MPIR_CVAR_*",
                                               "I_MPI_*",
                                               "PSM2_*",
                                               "HCOLL_*",
                                               "SHARP_*",
                                               "MLX5_*",
                                               "OMP_NUM_THREADS",
                                               "OMP_PROC_BIND",
                                               "CUDA_VISIBLE_DEVICES",
                                               "ROCR_VISIBLE_DEVICES",
                                               "LD_PRELOAD",
                                               "SLURM_JOB_ID",
                                               "SLURM_NTASKS",
                                               "SLURM_NNODES",
                                               "SLURM_JOB_PARTITION"};
constexpr std::string_view kHiddenNames[] = {
    "*TOKEN*", "*SECRET*",        "*PASSWORD*",    "*PASSWD*",       "*CREDENTIAL*",         "*KEY*", "*_URI*", "*URL*",
    "*AUTH*",  "OMPI_MCA_orte_*", "OMPI_MCA_ess*", "OMPI_MCA_pmix*", "OMPI_MCA_initial_wdir"};

bool MatchesAny(std::span<const std::string_view> patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [name](std::string_view pattern) { return base::GlobMatch(pattern, name); });
}

template <typename Info, typename Value>
std::string JoinNames(const std::vector<Value>& values, const Info& info) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const Value value : values) names.emplace_back(info(value).name);
  return base::Join(names, ",");
}

std::string_view AverageName(RankAverage average) {
  constexpr std::string_view kNames[] = {"rank 0", "average", "minimum", "maximum"};
  return kNames[static_cast<size_t>(average)];
}

Json OptionsToJson(const CollectiveOptions& options, const ArgumentValues& arguments) {
  JsonObject object;
  object["minimum_bytes"] = options.sizes_bytes.front();
  object["maximum_bytes"] = options.sizes_bytes.back();
  object["step"] = options.step;
  object["iterations"] = options.iterations.has_value() ? Json(*options.iterations) : Json(nullptr);
  object["warmup_iterations"] = options.warmup_iterations;
  object["aggregate"] = options.aggregate;
  object["cycles"] = options.cycles;
  object["check_iterations"] = options.check_iterations;
  object["average"] = AverageName(options.average);
  object["interval"] = options.iterations.has_value() ? Json(nullptr) : Json(options.interval);
  object["budget_seconds"] = options.budget.has_value() ? Json(absl::ToDoubleSeconds(*options.budget)) : Json(nullptr);
  object["deadline_seconds"] = absl::ToDoubleSeconds(options.deadline);
  JsonObject given;
  for (const auto& [name, value] : arguments) given[name] = value;
  object["given"] = std::move(given);
  return object;
}

// Calls `visit(placement)` for each placement of each row.
template <typename Visit>
void ForEachPlacement(const Json& document, const Visit& visit) {
  const Json* rows = base::Find(document, "rows");
  if (rows == nullptr || !rows->is_array()) return;
  for (const Json& row : rows->get_array()) {
    for (const char* name : {"out_of_place", "in_place"}) {
      const Json* placement = base::Find(row, name);
      if (placement != nullptr && placement->is_object()) visit(placement->as_object());
    }
  }
}

struct Sums {
  int64_t placements = 0;
  int64_t checked = 0;
  int64_t wrong = 0;
  int64_t imprecise = 0;
  int64_t disturbed = 0;  // half of the samples or more were cut by the kernel, so the median itself is
  int64_t iterations = 0;
  double bus_bytes_per_second = 0;
};

int64_t WholeOr0(const JsonObject& object, std::string_view name) {
  const auto value = object.find(name);
  if (value == object.end()) return 0;
  if (value->value().is_int64()) return value->value().get_int64();
  return value->value().is_uint64() ? static_cast<int64_t>(value->value().get_uint64()) : 0;
}

// Rows may have come over a wire: a missing member counts as nothing, never as a crash.
Sums AddUp(const Json& document) {
  Sums sums;
  ForEachPlacement(document, [&sums](const JsonObject& placement) {
    ++sums.placements;
    const Json* wrong = placement.if_contains("wrong");
    if (wrong != nullptr && wrong->is_number()) ++sums.checked;
    sums.wrong += WholeOr0(placement, "wrong");
    sums.iterations += WholeOr0(placement, "iterations");
    const Json* converged = placement.if_contains("converged");
    if (converged != nullptr && converged->is_bool() && !converged->get_bool()) ++sums.imprecise;
    if (2 * WholeOr0(placement, "preemptions") >= WholeOr0(placement, "samples")) ++sums.disturbed;
    const Json* bus = placement.if_contains("busbw_bytes_per_second");
    if (bus != nullptr && bus->is_number()) sums.bus_bytes_per_second += bus->to_number<double>();
  });
  return sums;
}

Json CorrectnessFinding(const Sums& sums) {
  base::Finding finding{.id = "bench-coll-correct",
                        .unit = "elements",
                        .expectation = "0 wrong elements",
                        .expectation_source = "exactly predictable data",
                        .read_from = "results of all ranks"};
  finding.value = sums.wrong;
  finding.verdict = sums.wrong > 0 ? base::Verdict::kFail : base::Verdict::kPass;
  if (sums.wrong > 0) {
    finding.reason = fmt::format(
        "{} elements came out wrong: suspect memory, the MPI library or the network; repeat "
        "with fewer hosts to find which",
        sums.wrong);
  }
  if (sums.checked == 0) {
    finding.verdict = base::Verdict::kUnknown;
    finding.value = nullptr;
    finding.reason = "no result was checked: run without -c 0";
  }
  return base::FindingToJson(finding);
}

Json CompletenessFinding(const Sums& sums, const std::string& missing) {
  base::Finding finding{.id = "bench-coll-complete",
                        .unit = "measurements",
                        .expectation = "every size that was asked",
                        .expectation_source = "the arguments of the run",
                        .read_from = "rows of this document"};
  finding.value = sums.placements;
  finding.verdict = missing.empty() ? base::Verdict::kPass : base::Verdict::kUnknown;
  finding.reason = missing;
  if (sums.placements == 0 && missing.empty()) {
    finding.verdict = base::Verdict::kUnknown;
    finding.reason = "nothing was measured";
  }
  return base::FindingToJson(finding);
}

Json PrecisionFinding(const Sums& sums, double interval) {
  base::Finding finding{.id = "bench-coll-precise",
                        .unit = "measurements",
                        .expectation_source = "the arguments of the run",
                        .read_from = "rows of this document"};
  finding.expectation = fmt::format("95 % interval of each median within {:g} %", interval * 100);
  finding.value = sums.placements - std::max(sums.imprecise, sums.disturbed);
  finding.verdict = sums.imprecise == 0 && sums.disturbed == 0 ? base::Verdict::kPass : base::Verdict::kUnknown;
  if (finding.verdict != base::Verdict::kPass) {
    finding.reason = fmt::format(
        "of {} medians {} are known less well than that and {} were taken while other work or "
        "other ranks had the cores: repeat on an idle machine with no more ranks than cores",
        sums.placements, sums.imprecise, sums.disturbed);
  }
  return base::FindingToJson(finding);
}

}  // namespace

JsonObject BeginDocument(const DocumentFacts& facts, const CollectiveOptions& options, const ArgumentValues& arguments,
                         Json environment) {
  const CollectiveInfo& info = Info(facts.collective);
  JsonArray hosts;
  JsonArray places;
  std::set<std::string> seen;
  for (const RankPlace& place : facts.places) {
    if (seen.insert(place.host).second) hosts.emplace_back(place.host);
    places.emplace_back(JsonObject{{"rank", place.rank}, {"pid", place.pid}, {"host", place.host}});
  }
  JsonArray notes;
  for (const std::string& note : facts.notes) notes.emplace_back(note);
  JsonObject document;
  document["schema"] = kCollectiveSchema;
  document["run"] = facts.run;
  document["collective"] = info.name;
  document["backend"] = facts.backend;
  document["library"] = facts.library;
  document["ranks"] = facts.places.size();
  document["nodes"] = hosts.size();
  document["hosts"] = std::move(hosts);
  document["places"] = std::move(places);
  document["mode"] = options.iterations.has_value() ? "fixed" : "adaptive";
  document["datatype"] = JoinNames(options.types, [](DataType type) { return Info(type); });
  document["redop"] = info.reduces ? JoinNames(options.ops, [](ReduceOp op) { return Info(op); }) : "none";
  document["root"] = info.rooted && !options.roots.empty() ? options.roots.front() : -1;
  document["started"] = base::Rfc3339(facts.started);
  document["wall_seconds"] = nullptr;
  document["options"] = OptionsToJson(options, arguments);
  document["notes"] = std::move(notes);
  if (!options.faults.empty()) document["drill"] = true;
  document["environment"] = std::move(environment);
  document["machine"] = nullptr;
  document["rows"] = JsonArray();
  document["findings"] = JsonArray();
  return document;
}

Json PlacementToJson(const MessagePlan& plan, const PlacementResult& result) {
  const Measurement& measurement = result.measurement;
  const stats::Summary& seconds = measurement.seconds;
  const Bandwidth bandwidth = BandwidthOf(plan, seconds.p50);
  JsonObject object;
  object["time_seconds"] = base::NumberOrNull(seconds.p50);
  object["algbw_bytes_per_second"] = base::NumberOrNull(bandwidth.algorithm_bytes_per_second);
  object["busbw_bytes_per_second"] = base::NumberOrNull(bandwidth.bus_bytes_per_second);
  object["wrong"] = result.wrong.has_value() ? Json(*result.wrong) : Json(nullptr);
  object["iterations"] = measurement.iterations;
  object["samples"] = seconds.count;
  object["batch_iterations"] = measurement.batch_iterations;
  object["mean_seconds"] = base::NumberOrNull(seconds.mean);
  object["min_seconds"] = base::NumberOrNull(seconds.min);
  object["max_seconds"] = base::NumberOrNull(seconds.max);
  object["p50_seconds"] = base::NumberOrNull(seconds.p50);
  object["p95_seconds"] = base::NumberOrNull(seconds.p95);
  object["p99_seconds"] = base::NumberOrNull(seconds.p99);
  object["median_absolute_deviation_seconds"] = base::NumberOrNull(seconds.median_absolute_deviation);
  const bool known = measurement.interval.has_value();
  object["ci95_low_seconds"] = known ? base::NumberOrNull(measurement.interval->low) : Json(nullptr);
  object["ci95_high_seconds"] = known ? base::NumberOrNull(measurement.interval->high) : Json(nullptr);
  object["preemptions"] = measurement.preemptions;
  object["converged"] = measurement.converged.has_value() ? Json(*measurement.converged) : Json(nullptr);
  return object;
}

Json RowToJson(const MessagePlan& plan, const Combination& combination, Json out_of_place, Json in_place) {
  const CollectiveInfo& info = Info(plan.collective);
  JsonObject row;
  row["size_bytes"] = plan.size_bytes;
  row["count"] = plan.count;
  row["type"] = Info(combination.type).name;
  row["redop"] = info.reduces ? Info(combination.op).name : "none";
  row["root"] = info.rooted ? combination.root : -1;
  row["out_of_place"] = std::move(out_of_place);
  row["in_place"] = std::move(in_place);
  return row;
}

void FinishDocument(JsonObject& document, absl::Duration wall, const std::string& missing) {
  const Json whole(document);
  const Sums sums = AddUp(whole);
  document["wall_seconds"] = absl::ToDoubleSeconds(wall);
  document["iterations"] = sums.iterations;
  document["out_of_bounds"] = sums.wrong;
  document["average_busbw_bytes_per_second"] =
      sums.placements > 0 ? Json(sums.bus_bytes_per_second / static_cast<double>(sums.placements)) : Json(nullptr);
  JsonArray findings;
  findings.push_back(CorrectnessFinding(sums));
  findings.push_back(CompletenessFinding(sums, missing));
  const Json* interval = base::FindPath(whole, "options.interval");
  if (interval != nullptr && interval->is_number()) {
    findings.push_back(PrecisionFinding(sums, interval->to_number<double>()));
  }
  document["findings"] = std::move(findings);
}

base::ExitStatus ExitStatusOfDocument(const Json& document) {
  const Json* rows = base::Find(document, "rows");
  if (rows == nullptr || !rows->is_array() || rows->get_array().empty()) return base::ExitStatus::kCouldNotRun;
  const auto wrong = base::GetInt(document, "out_of_bounds");
  if (!wrong.ok() || *wrong != 0 || base::Find(document, "fault") != nullptr) return base::ExitStatus::kFallsShort;
  return base::ExitStatus::kPass;
}

Json ReportedEnvironment(std::span<const std::string> entries) {
  std::vector<std::string> sorted(entries.begin(), entries.end());
  std::sort(sorted.begin(), sorted.end());
  JsonObject object;
  for (const std::string& entry : sorted) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    const std::string name = entry.substr(0, equals);
    if (!MatchesAny(kReportedNames, name) || MatchesAny(kHiddenNames, name)) continue;
    const std::string value = entry.substr(equals + 1, kMaxEnvironmentValueBytes);
    object[name] = base::IsUtf8(value) ? value : "(not text)";
  }
  return object;
}

}  // namespace ashlar::bench
