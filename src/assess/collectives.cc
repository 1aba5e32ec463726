#include "assess/collectives.h"

#include <algorithm>
#include <array>
#include <vector>

#include "assess/tolerances.h"

namespace ashlar::assess {
namespace {

constexpr std::array<const char*, 5> kAsked = {"all_reduce", "all_gather", "reduce", "broadcast", "reduce_scatter"};
constexpr const char* kCommand = "ashlar bench coll all";

struct Baseline {
  double busbw_bytes_per_second = 0;
  std::string source;
};

struct Collected {
  std::vector<std::string> missing;
  std::vector<std::string> wrong;
  std::vector<std::string> slow;
  std::vector<std::string> without_baseline;
};

// The largest message of a run: peaks of different sweeps say nothing about each other.
double LargestSize(const ledger::Entry& coll) {
  double largest = 0;
  const base::Json* rows = base::Find(coll.body, "rows");
  if (rows == nullptr || !rows->is_array()) return largest;
  for (const base::Json& row : rows->get_array()) {
    const auto size = base::GetNumber(row, "size_bytes");
    if (size.ok()) largest = std::max(largest, *size);
  }
  return largest;
}

bool Comparable(const ledger::Entry& a, const ledger::Entry& b) {
  const std::string digest = TextAt(a, "machine.digest");
  return !digest.empty() && digest == TextAt(b, "machine.digest") && NumberAt(a, "ranks") == NumberAt(b, "ranks") &&
         TextAt(a, "library") == TextAt(b, "library") && TextAt(a, "datatype") == TextAt(b, "datatype") &&
         LargestSize(a) == LargestSize(b);
}

std::optional<Baseline> BaselineOf(const Evidence& evidence, const ledger::Entry& coll,
                                   const std::vector<const ledger::Entry*>& runs) {
  const std::string name = TextAt(coll, "collective");
  const std::string key = fmt::format("bench.coll.minimum_busbw_bytes_per_second.{}", name);
  if (const base::Json* declared = evidence.Config(key); declared != nullptr && declared->is_number()) {
    return Baseline{declared->to_number<double>(), "configuration: " + key};
  }
  const auto tolerance = ToleranceOf("collective_peak");
  if (!tolerance.ok()) return std::nullopt;
  std::optional<double> least;
  size_t count = 0;
  for (const ledger::Entry* earlier : runs) {
    if (earlier->sequence >= coll.sequence || TextAt(*earlier, "collective") != name) continue;
    const auto peak = PeakOf(*earlier);
    if (!Comparable(*earlier, coll) || !peak) continue;
    least = std::min(least.value_or(peak->busbw_bytes_per_second), peak->busbw_bytes_per_second);
    ++count;
  }
  if (!least) return std::nullopt;
  return Baseline{*least * (1 - *tolerance), fmt::format("{} earlier run{} on this machine, less {:.0f} %", count,
                                                         count == 1 ? "" : "s", *tolerance * 100)};
}

const ledger::Entry* NewestOf(const std::vector<const ledger::Entry*>& runs, std::string_view name,
                              std::string_view backend) {
  const ledger::Entry* newest = nullptr;
  for (const ledger::Entry* run : runs) {
    if (TextAt(*run, "collective") == name && TextAt(*run, "backend") == backend) newest = run;
  }
  return newest;
}

// Judges one collective and files its name under what is wrong with it.
void Collect(const Evidence& evidence, const std::vector<const ledger::Entry*>& runs, const ledger::Entry& coll,
             Collected& collected, Judgement& judgement) {
  const std::string name = TextAt(coll, "collective");
  const auto wrong = NumberAt(coll, "out_of_bounds");
  const auto peak = PeakOf(coll);
  if (!wrong || !peak) {
    collected.missing.push_back(name);
    return;
  }
  if (*wrong != 0) collected.wrong.push_back(name);
  judgement.pointers.push_back(PointTo(coll, "rows"));
  judgement.value.as_object()[name] = peak->busbw_bytes_per_second;
  const auto baseline = BaselineOf(evidence, coll, runs);
  if (!baseline) {
    collected.without_baseline.push_back(name);
    return;
  }
  judgement.expectation += fmt::format("{}{} >= {}", judgement.expectation.empty() ? "" : ", ", name,
                                       base::HumanRate({baseline->busbw_bytes_per_second}));
  judgement.expectation_source = baseline->source;
  if (peak->busbw_bytes_per_second < baseline->busbw_bytes_per_second) collected.slow.push_back(name);
}

void Conclude(const Collected& collected, Judgement& judgement) {
  if (!collected.wrong.empty()) {
    judgement.verdict = base::Verdict::kFail;
    judgement.reason = fmt::format("wrong results: {}", ListNames(collected.wrong));
  } else if (!collected.slow.empty()) {
    judgement.verdict = base::Verdict::kFail;
    judgement.reason = fmt::format("below the baseline: {}", ListNames(collected.slow));
  } else if (!collected.missing.empty()) {
    judgement.reason = fmt::format("not measured, or without a usable result: {}", ListNames(collected.missing));
  } else if (!collected.without_baseline.empty()) {
    judgement.reason = fmt::format(
        "measured for the first time on this machine: the next run is compared with this one "
        "({})",
        ListNames(collected.without_baseline));
  } else {
    judgement.verdict = base::Verdict::kPass;
    judgement.reason = "every collective is at or above its baseline, with correct results";
  }
}

}  // namespace

std::optional<PeakBandwidth> PeakOf(const ledger::Entry& coll) {
  const base::Json* rows = base::Find(coll.body, "rows");
  if (rows == nullptr || !rows->is_array()) return std::nullopt;
  std::optional<PeakBandwidth> peak;
  for (const base::Json& row : rows->get_array()) {
    const base::Json* busbw = base::FindPath(row, "out_of_place.busbw_bytes_per_second");
    const base::Json* size = base::Find(row, "size_bytes");
    if (busbw == nullptr || size == nullptr || !busbw->is_number() || !size->is_number()) continue;
    const PeakBandwidth here{busbw->to_number<double>(), size->to_number<double>()};
    if (!peak || here.busbw_bytes_per_second > peak->busbw_bytes_per_second) peak = here;
  }
  return peak;
}

Judgement JudgeCollectives(const Evidence& evidence, std::string_view backend) {
  const auto runs = evidence.All("bench.coll");
  Judgement judgement;
  judgement.command = kCommand;
  judgement.unit = "bytes/s";
  judgement.value = base::JsonObject();
  Collected collected;
  for (const char* name : kAsked) {
    const ledger::Entry* coll = NewestOf(runs, name, backend);
    if (coll == nullptr) {
      collected.missing.emplace_back(name);
    } else {
      Collect(evidence, runs, *coll, collected, judgement);
    }
  }
  Conclude(collected, judgement);
  return judgement;
}

}  // namespace ashlar::assess
