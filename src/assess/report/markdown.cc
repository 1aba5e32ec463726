#include "assess/report/report.h"
#include "assess/report/verdict_text.h"

namespace ashlar::assess {
namespace {

// Text that cannot end a table cell or begin markup.
std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>#|~!").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void AppendRow(const ScorecardRow& row, std::string& out) {
  const VerdictText verdict = TextOf(row.judgement.verdict);
  std::string reason = Escape(row.judgement.reason);
  if (!row.judgement.command.empty()) {
    reason += fmt::format(" → `{}`{}", row.judgement.command, row.judgement.command_exists ? "" : " (later version)");
  }
  out += fmt::format("| {} {} | `{}` | {} |\n", verdict.symbol, verdict.word, row.consideration->id, reason);
}

}  // namespace

std::string RenderMarkdown(const Scorecard& scorecard) {
  const VerdictCounts counts = CountVerdicts(scorecard);
  std::string out = fmt::format("# Scorecard of {}\n\n{} pass, {} fail, {} conflict, {} unknown, {} not applicable.\n",
                                base::HumanTime(scorecard.time), counts.pass, counts.fail, counts.conflict,
                                counts.unknown, counts.not_applicable);
  const Consideration* last = nullptr;
  for (const ScorecardRow& row : scorecard.rows) {
    if (last == nullptr || last->pillar != row.consideration->pillar) {
      out += fmt::format("\n## {}\n\n| verdict | consideration | why |\n|---|---|---|\n",
                         PillarName(row.consideration->pillar));
    }
    last = row.consideration;
    AppendRow(row, out);
  }
  if (!scorecard.changes.empty()) out += "\n## What changed\n\n| what | before | after |\n|---|---|---|\n";
  for (const Change& change : scorecard.changes) {
    out += fmt::format("| {} | {} | {} |\n", Escape(change.what), Escape(change.before), Escape(change.after));
  }
  return out;
}

}  // namespace ashlar::assess
