#include <string_view>
#include <vector>

#include "assess/report/report.h"
#include "assess/report/verdict_text.h"

namespace ashlar::assess {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kReasonColumn = 38;  // symbol, word and the longest id come before it
constexpr size_t kCommandColumn = 6;  // commands are not broken: they are there to be copied

// Words broken into lines of at most `width` bytes; a longer word has a line of its own.
std::vector<std::string> Wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view word : base::SplitWords(text)) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(word);
    } else {
      lines.back() += " ";
      lines.back() += word;
    }
  }
  return lines;
}

// Control characters of evidence must not reach the terminal.
std::string Printable(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return out;
}

void AppendRow(const ScorecardRow& row, bool colour, std::string& out) {
  const VerdictText verdict = TextOf(row.judgement.verdict);
  const std::string word = fmt::format("{} {:<8}", verdict.symbol, verdict.word);
  out += colour ? fmt::format("  {}{}{}", verdict.colour, word, kColourEnd) : "  " + word;
  out += fmt::format(" {:<25}", row.consideration->id);
  if (!row.judgement.command_exists) {
    out += fmt::format("later version: {}\n", row.judgement.command);
    return;
  }
  const auto lines = Wrap(Printable(row.judgement.reason), kWidth - kReasonColumn);
  for (size_t i = 0; i < lines.size(); ++i) {
    out += (i == 0 ? "" : std::string(kReasonColumn, ' ')) + lines[i] + "\n";
  }
  if (lines.empty()) out += "\n";
  const bool offer = row.judgement.verdict == base::Verdict::kUnknown || row.judgement.verdict == base::Verdict::kFail;
  if (offer && !row.judgement.command.empty()) {
    out += fmt::format("{}→ {}\n", std::string(kCommandColumn, ' '), row.judgement.command);
  }
}

void AppendPillar(const Scorecard& scorecard, Pillar pillar, bool colour, std::string& out) {
  const VerdictCounts counts = CountVerdicts(scorecard, pillar);
  out += fmt::format("\n{}: {} pass, {} fail, {} unknown\n", PillarName(pillar), counts.pass,
                     counts.fail + counts.conflict, counts.unknown);
  for (const ScorecardRow& row : scorecard.rows) {
    if (row.consideration->pillar == pillar) AppendRow(row, colour, out);
  }
}

void AppendChanges(const Scorecard& scorecard, std::string& out) {
  if (!scorecard.baseline) return;
  out += fmt::format("\nSince the scorecard in entry {}: ", *scorecard.baseline);
  if (scorecard.changes.empty()) {
    out += "nothing changed.\n";
    return;
  }
  out += fmt::format("{} change{}\n", scorecard.changes.size(), scorecard.changes.size() == 1 ? "" : "s");
  for (const Change& change : scorecard.changes) {
    out += fmt::format("  {} {}: {} → {}\n", change.worse ? "▼" : "▲", Printable(change.what), Printable(change.before),
                       Printable(change.after));
  }
}

}  // namespace

std::string RenderTable(const Scorecard& scorecard, bool colour) {
  std::string out = fmt::format("Scorecard of {}\n", base::HumanTime(scorecard.time));
  for (const Pillar pillar : {Pillar::kReliability, Pillar::kSecurity, Pillar::kCost, Pillar::kOperations,
                              Pillar::kPerformance, Pillar::kBenchmarks}) {
    AppendPillar(scorecard, pillar, colour, out);
  }
  AppendChanges(scorecard, out);
  const VerdictCounts counts = CountVerdicts(scorecard);
  out += fmt::format("\n{} considerations: {} pass, {} fail, {} conflict, {} unknown, {} not applicable\n",
                     scorecard.rows.size(), counts.pass, counts.fail, counts.conflict, counts.unknown,
                     counts.not_applicable);
  return out;
}

}  // namespace ashlar::assess
