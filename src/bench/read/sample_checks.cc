#include "bench/read/sample_checks.h"

#include <array>
#include <cmath>
#include <map>

#include "bench/read/sample_table.h"

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;

constexpr double kSlack = 1e-9;  // of arithmetic, not of measuring
// Tools take the peak from truncated clock ticks, the average from the whole time: beyond rounding they may differ so.
constexpr double kPeakSlack = 1e-4;

Finding Unknown(std::string id, std::string reason) { return {.id = std::move(id), .reason = std::move(reason)}; }

Finding CheckComplete(const RunRecord& record) {
  constexpr const char* kId = "read-complete";
  for (const ReadNote& note : record.notes) {
    if (note.is_damage) return Unknown(kId, fmt::format("line {}: {}", note.line, note.text));
  }
  if (record.samples.empty()) return Unknown(kId, "there is no row of figures");
  if (!record.is_complete) {
    return Unknown(kId,
                   fmt::format("nothing shows that it is whole after line {}{}{}", record.source.last_line,
                               record.notes.empty() ? "" : ": ", record.notes.empty() ? "" : record.notes.back().text));
  }
  return {.id = kId, .verdict = Verdict::kPass, .value = record.samples.size(), .unit = "rows"};
}

// The first figure is never above the second.
struct OrderedPair {
  const char* low;
  const char* high;
  double slack = 0;  // relative, beyond what rounding explains
};
constexpr std::array kOrdered = {
    OrderedPair{"time_min", "time_avg"},      OrderedPair{"time_avg", "time_max"},
    OrderedPair{"time_min", "time_max"},      OrderedPair{"time_min", "time_typical"},
    OrderedPair{"time_typical", "time_p99"},  OrderedPair{"time_p99", "time_p999"},
    OrderedPair{"time_typical", "time_p999"}, OrderedPair{"time_p999", "time_max"},
    OrderedPair{"time_p99", "time_max"},      OrderedPair{"bandwidth_avg", "bandwidth_peak", kPeakSlack},
};

// Why the figures of one row cannot be true, "" when they can. `compared` counts the pairs that stand there.
std::string FaultOfRow(const Sample& sample, uint64_t& compared) {
  for (const Quantity& quantity : sample.quantities) {
    if (!std::isfinite(quantity.value))
      return fmt::format("line {}: {} is no finite number", sample.line, quantity.name);
  }
  for (const OrderedPair& pair : kOrdered) {
    const Quantity* low = FindQuantity(sample, pair.low);
    const Quantity* high = FindQuantity(sample, pair.high);
    if (low == nullptr || high == nullptr) continue;
    ++compared;
    if (low->value - low->half_step <= (high->value + high->half_step) * (1 + kSlack + pair.slack)) continue;
    return fmt::format("line {} is impossible: {} is {:.6g} {} and {} is {:.6g}", sample.line, pair.low, low->value,
                       low->unit, pair.high, high->value);
  }
  return "";
}

// What tells apart the rows of one sweep from those of another in the same table.
std::string SweepOf(const Sample& sample) {
  base::JsonObject others = sample.labels;
  others.erase("size_bytes");
  return base::WriteJson(others);
}

Finding CheckOrder(const RunRecord& record) {
  constexpr const char* kId = "read-order";
  if (record.samples.empty()) return Unknown(kId, "there is no row of figures");
  std::map<std::string, uint64_t> last_size;
  uint64_t compared = 0;
  for (const Sample& sample : record.samples) {
    if (std::string fault = FaultOfRow(sample, compared); !fault.empty()) return Unknown(kId, std::move(fault));
    const auto size = NumberLabel(sample, "size_bytes");
    if (!size) continue;
    const auto [last, is_first] = last_size.emplace(SweepOf(sample), *size);
    if (is_first) continue;
    if (*size <= last->second) {
      return Unknown(kId, fmt::format("line {} has {} bytes after {}: rows of another run, or of a second copy",
                                      sample.line, *size, last->second));
    }
    last->second = *size;
    ++compared;
  }
  if (compared == 0) {
    return {.id = kId, .verdict = Verdict::kNotApplicable, .reason = "no two figures of this run have an order"};
  }
  return {.id = kId, .verdict = Verdict::kPass, .value = compared, .unit = "comparisons"};
}

// nullopt when no row says whether its results were right.
std::optional<Finding> CheckCorrect(const RunRecord& record) {
  constexpr const char* kId = "read-correct";
  uint64_t checked = 0;
  for (const Sample& sample : record.samples) {
    const base::Json* validation = sample.labels.if_contains("validation");
    const Quantity* defects = FindQuantity(sample, "defects");
    if (validation == nullptr && defects == nullptr) continue;
    ++checked;
    const bool is_right = (validation == nullptr || (validation->is_string() && validation->get_string() == "Pass")) &&
                          (defects == nullptr || defects->value == 0);
    if (is_right) continue;
    return Finding{.id = kId,
                   .verdict = Verdict::kFail,
                   .expectation = "every result right",
                   .reason = fmt::format("line {}: the tool found wrong results", sample.line)};
  }
  if (checked == 0) return std::nullopt;
  if (checked < record.samples.size()) return Unknown(kId, "not every row says whether its results were right");
  return Finding{.id = kId, .verdict = Verdict::kPass, .value = checked, .unit = "rows"};
}

}  // namespace

std::vector<Finding> CheckSamples(const RunRecord& record) {
  if (record.collective) return {};
  std::vector<Finding> findings = {CheckComplete(record), CheckOrder(record)};
  if (auto correct = CheckCorrect(record)) findings.push_back(*std::move(correct));
  for (Finding& finding : findings) {
    finding.read_from = fmt::format("{}:{}-{}", record.source.path, record.source.first_line, record.source.last_line);
  }
  return findings;
}

}  // namespace ashlar::bench
