#include "bench/read/summary.h"

#include <algorithm>

#include "bench/read/sample_table.h"

namespace ashlar::bench {
namespace {

constexpr double kBytesPerGigabyte = 1e9;

std::string Place(const RunSource& source) { return fmt::format("{}:{}", source.path, source.first_line); }

// Of any row; there is no bus bandwidth outside collectives' tables.
std::vector<std::string> LargestSample(const RunRecord& run) {
  std::optional<uint64_t> largest;
  for (const Sample& sample : run.samples) {
    const auto size = NumberLabel(sample, "size_bytes");
    if (size) largest = std::max(largest.value_or(0), *size);
  }
  return {largest ? base::HumanBytes({*largest}) : "", ""};
}

// Size and bus bandwidth of the row with the most bytes.
std::vector<std::string> LargestRow(const RunRecord& run) {
  if (!run.collective) return LargestSample(run);
  if (run.collective->rows.empty()) return {"", ""};
  const auto& rows = run.collective->rows;
  const auto largest = std::max_element(rows.begin(), rows.end(), [](const CollectiveRow& a, const CollectiveRow& b) {
    return a.size_bytes < b.size_bytes;
  });
  const auto& placements = largest->placements;
  const bool has_figure = !placements.empty() && placements.front().busbw;
  return {base::HumanBytes({largest->size_bytes}),
          has_figure ? base::HumanRate({placements.front().busbw->value * kBytesPerGigabyte}) : ""};
}

// 0 when the run does not say.
uint64_t RanksOf(const RunRecord& run) {
  if (run.collective) return run.collective->devices.size();
  return run.samples.empty() ? 0 : NumberLabel(run.samples.front(), "ranks").value_or(0);
}

std::vector<std::string> RunRow(const RunRecord& run) {
  const uint64_t ranks = RanksOf(run);
  const size_t rows = run.collective ? run.collective->rows.size() : run.samples.size();
  std::vector<std::string> cells = {Place(run.source), run.version.empty() ? run.tool : run.tool + " " + run.version,
                                    run.test.empty() ? "?" : run.test, ranks == 0 ? "?" : fmt::format("{}", ranks),
                                    fmt::format("{}", rows)};
  for (std::string& cell : LargestRow(run)) cells.push_back(std::move(cell));
  cells.emplace_back(base::VerdictName(base::WorstVerdict(run.findings)));
  for (std::string& cell : cells) cell = base::Utf8Text(cell);
  return cells;
}

}  // namespace

std::string FormatReadReport(const ReadReport& report) {
  std::string text;
  if (!report.runs.empty()) {
    base::TextTable table{.rows = {{"run", "tool", "test", "ranks", "rows", "largest", "busbw", "verdict"}},
                          .right = {false, false, false, true, true, true, true, false}};
    for (const RunRecord& run : report.runs) table.rows.push_back(RunRow(run));
    text += base::FormatTable(table);
  }
  std::string reasons;
  for (const RunRecord& run : report.runs) {
    for (const base::Finding& finding : run.findings) {
      if (finding.verdict == base::Verdict::kPass || finding.verdict == base::Verdict::kNotApplicable) continue;
      reasons += fmt::format("{}  {}  {}: {}\n", base::VerdictName(finding.verdict), Place(run.source), finding.id,
                             finding.reason);
    }
  }
  for (const ReadProblem& problem : report.problems) {
    reasons += fmt::format("unknown  {}: {}\n", problem.path, problem.reason);
  }
  if (!reasons.empty()) text += (text.empty() ? "" : "\n") + base::Utf8Text(reasons);
  return text;
}

}  // namespace ashlar::bench
