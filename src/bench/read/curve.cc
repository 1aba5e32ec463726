#include "bench/read/curve.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "stats/stats.h"

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;

constexpr size_t kFewestRows = 3;
constexpr double kBytesPerGigabyte = 1e9;

struct Point {
  uint64_t line;
  uint64_t size_bytes;
  double busbw;
};
using Curve = std::vector<Point>;

// One curve for each type, operation, root and placement, by size.
std::vector<Curve> CurvesOf(const CollectiveTable& table, uint64_t from_bytes) {
  std::map<std::tuple<std::string, std::string, std::string, size_t>, Curve> curves;
  for (const CollectiveRow& row : table.rows) {
    if (row.size_bytes < from_bytes) continue;
    for (size_t i = 0; i < row.placements.size(); ++i) {
      const auto& busbw = row.placements[i].busbw;
      if (!busbw) continue;
      curves[{row.type, row.redop, row.root, i}].push_back(
          {.line = row.line, .size_bytes = row.size_bytes, .busbw = busbw->value});
    }
  }
  std::vector<Curve> found;
  for (auto& [key, curve] : curves) {
    std::stable_sort(curve.begin(), curve.end(),
                     [](const Point& a, const Point& b) { return a.size_bytes < b.size_bytes; });
    if (curve.size() >= kFewestRows) found.push_back(std::move(curve));
  }
  return found;
}

// What is wrong with a curve; "" when nothing is.
std::string FaultOf(const Curve& curve, const CurveLimits& limits) {
  for (size_t i = 1; i + 1 < curve.size(); ++i) {
    const double neighbours = std::min(curve[i - 1].busbw, curve[i + 1].busbw);
    if (curve[i].busbw < (1 - limits.dip_share) * neighbours) {
      return fmt::format("line {}: {} reaches {:.2f} GB/s between {:.2f} and {:.2f}", curve[i].line,
                         base::HumanBytes({curve[i].size_bytes}), curve[i].busbw, curve[i - 1].busbw,
                         curve[i + 1].busbw);
    }
  }
  const auto best =
      std::max_element(curve.begin(), curve.end(), [](const Point& a, const Point& b) { return a.busbw < b.busbw; });
  if (curve.back().busbw < limits.plateau_share * best->busbw) {
    return fmt::format("line {}: {} reaches {:.2f} GB/s, {} reached {:.2f}", curve.back().line,
                       base::HumanBytes({curve.back().size_bytes}), curve.back().busbw,
                       base::HumanBytes({best->size_bytes}), best->busbw);
  }
  return "";
}

double PlateauOf(const Curve& curve) {
  std::vector<double> largest;
  for (size_t i = curve.size() - kFewestRows; i < curve.size(); ++i) largest.push_back(curve[i].busbw);
  return stats::Median(std::move(largest)).value_or(0);
}

base::Json FloorOf(const CollectiveTable& table) {
  const CollectiveRow* smallest = nullptr;
  for (const CollectiveRow& row : table.rows) {
    const bool has_time = row.size_bytes > 0 && !row.placements.empty() && row.placements.front().time;
    if (has_time && (smallest == nullptr || row.size_bytes < smallest->size_bytes)) smallest = &row;
  }
  if (smallest == nullptr) return nullptr;
  return smallest->placements.front().time->value * (table.time_unit == "ms" ? 1e-3 : 1e-6);
}

base::StatusOr<double> LimitOf(const base::Json& data, std::string_view key, std::string_view kind) {
  const auto limit = base::FindPath(data, fmt::format("{}.{}", key, kind));
  if (limit == nullptr || !limit->is_number()) {
    return base::Error(base::StatusCode::kInternal, "data/bench/curve.yaml: {}.{} is missing", key, kind);
  }
  return limit->to_number<double>();
}

}  // namespace

base::StatusOr<CurveLimits> CurveLimitsOf(const base::Json& data) {
  CurveLimits limits;
  ASHLAR_ASSIGN_OR_RETURN(const double from_bytes, LimitOf(data, "from_bytes", "value"));
  limits.from_bytes = static_cast<uint64_t>(from_bytes);
  ASHLAR_ASSIGN_OR_RETURN(limits.dip_share, LimitOf(data, "dip_share", "maximum"));
  ASHLAR_ASSIGN_OR_RETURN(limits.plateau_share, LimitOf(data, "plateau_share", "minimum"));
  return limits;
}

const base::StatusOr<CurveLimits>& StandardCurveLimits() {
  static const base::StatusOr<CurveLimits> limits = []() -> base::StatusOr<CurveLimits> {
    ASHLAR_ASSIGN_OR_RETURN(const base::Json data, base::EmbeddedYaml("bench/curve.yaml"));
    return CurveLimitsOf(data);
  }();
  return limits;
}

Finding CheckCurve(const RunRecord& record, const CurveLimits& limits) {
  Finding finding{.id = "read-curve",
                  .unit = "bytes_per_second, seconds",
                  .expectation = fmt::format("no dip of {:.0f} % and {:.0f} % of the best at the largest size",
                                             limits.dip_share * 100, limits.plateau_share * 100),
                  .expectation_source = "data/bench/curve.yaml"};
  const std::vector<Curve> curves = record.collective ? CurvesOf(*record.collective, limits.from_bytes)
                                                      : std::vector<Curve>();
  if (curves.empty()) {
    finding.verdict = Verdict::kNotApplicable;
    finding.reason = fmt::format("fewer than {} sizes from {} on", kFewestRows, base::HumanBytes({limits.from_bytes}));
    return finding;
  }
  finding.value = base::JsonObject{{"plateau_busbw_bytes_per_second", PlateauOf(curves.front()) * kBytesPerGigabyte},
                                   {"floor_seconds", FloorOf(*record.collective)}};
  finding.verdict = Verdict::kPass;
  for (const Curve& curve : curves) {
    if (finding.reason = FaultOf(curve, limits); finding.reason.empty()) continue;
    finding.verdict = Verdict::kFail;
    break;
  }
  return finding;
}

}  // namespace ashlar::bench
