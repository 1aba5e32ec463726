#include <algorithm>
#include <array>
#include <utility>

#include "assess/report/html_evidence.h"
#include "assess/report/markup.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

constexpr std::array<Pillar, 6> kPillars = {Pillar::kReliability, Pillar::kSecurity,    Pillar::kCost,
                                            Pillar::kOperations,  Pillar::kPerformance, Pillar::kBenchmarks};

std::string Anchor(Pillar pillar) { return base::Lowercase(PillarName(pillar)); }

std::string CountText(const VerdictCounts& counts) {
  std::string out;
  const auto add = [&out](int count, const char* word) {
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, word);
  };
  add(counts.fail, "fail");
  add(counts.conflict, "conflict");
  add(counts.pass, "pass");
  add(counts.unknown, "unknown");
  add(counts.not_applicable, "not applicable");
  return out;
}

std::string Bar(const VerdictCounts& counts) {
  std::string out = "<span class=\"bar\" aria-hidden=\"true\">";
  const std::array<std::pair<int, const char*>, 5> parts = {{{counts.fail, "fail"},
                                                             {counts.conflict, "conflict"},
                                                             {counts.pass, "pass"},
                                                             {counts.unknown, "unknown"},
                                                             {counts.not_applicable, "na"}}};
  for (const auto& [count, name] : parts) {
    if (count > 0) out += fmt::format("<i class=\"{}\" style=\"flex:{}\"></i>", name, count);
  }
  return out + "</span>";
}

std::string Tiles(const Scorecard& scorecard) {
  std::string out = "<nav class=\"tiles\" aria-label=\"Pillars\">\n";
  for (const Pillar pillar : kPillars) {
    const VerdictCounts counts = CountVerdicts(scorecard, pillar);
    out += fmt::format("<a class=\"tile\" href=\"#{}\"><strong>{}</strong>{}<span class=\"small soft\">{}</span></a>\n",
                       Anchor(pillar), PillarName(pillar), Bar(counts), CountText(counts));
  }
  return out + "</nav>\n";
}

std::string Changes(const Scorecard& scorecard) {
  if (!scorecard.baseline) return "";
  std::string out = "<h2 id=\"changes\">What changed</h2>\n";
  if (scorecard.changes.empty()) {
    return out + fmt::format("<p>Nothing, against the scorecard in entry {}.</p>\n", *scorecard.baseline);
  }
  out +=
      "<div class=\"scroll\"><table><thead><tr><th></th><th>what</th><th>before</th><th>now</th></tr></thead><tbody>\n";
  for (const Change& change : scorecard.changes) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", change.worse ? "▼ worse" : "▲",
                       EscapeMarkup(change.what), EscapeMarkup(change.before), EscapeMarkup(change.after));
  }
  return out + "</tbody></table></div>\n";
}

std::string ToDo(const Scorecard& scorecard) {
  std::string rows;
  for (const ScorecardRow& row : scorecard.rows) {
    if (row.judgement.verdict != base::Verdict::kFail && row.judgement.verdict != base::Verdict::kConflict) continue;
    rows += fmt::format(
        "<tr><td>{}</td><td><a href=\"#{}\">{}</a></td><td class=\"wide\">{}</td><td class=\"wide\">{}"
        "</td></tr>\n",
        VerdictSpan(row.judgement.verdict), row.consideration->id, row.consideration->id,
        EscapeMarkup(row.judgement.reason), EscapeMarkup(row.consideration->remedy));
  }
  if (rows.empty()) return "";
  return "<h2 id=\"to-do\">What falls short</h2>\n<div class=\"scroll\"><table><thead><tr><th>verdict</th>"
         "<th>consideration</th><th>why</th><th>what to do</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

void Term(std::string_view name, const std::string& markup, std::string& out) {
  if (!markup.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>", name, markup);
}

std::string Pointers(const Judgement& judgement) {
  std::string out;
  for (const EvidencePointer& pointer : judgement.pointers) {
    out += fmt::format("{}entry {} <span class=\"soft\">{}{}{} of {}, {}</span>", out.empty() ? "" : "<br>",
                       pointer.sequence, EscapeMarkup(pointer.kind), pointer.path.empty() ? "" : " ",
                       EscapeMarkup(pointer.path), EscapeMarkup(pointer.subject), base::HumanTime(pointer.time));
  }
  return out;
}

std::string Details(const ScorecardRow& row) {
  const Judgement& judgement = row.judgement;
  const Consideration& consideration = *row.consideration;
  std::string list;
  Term("question", EscapeMarkup(consideration.question), list);
  Term("why it matters", EscapeMarkup(consideration.why), list);
  if (!judgement.value.is_null()) Term("value", EscapeMarkup(ValueText(judgement.value, judgement.unit)), list);
  Term("expected", EscapeMarkup(judgement.expectation), list);
  Term("expected by", EscapeMarkup(judgement.expectation_source), list);
  Term("what proves it", EscapeMarkup(consideration.proof), list);
  if (!judgement.pointers.empty()) {
    Term("evidence", fmt::format("{}<br>{}", base::EvidenceGradeName(judgement.grade), Pointers(judgement)), list);
  }
  Term("what to do", EscapeMarkup(consideration.remedy), list);
  if (!judgement.command.empty()) {
    Term("command",
         fmt::format("<code>{}</code>{}", EscapeMarkup(judgement.command),
                     judgement.command_exists ? "" : " <span class=\"soft\">(not in this version)</span>"),
         list);
  }
  return fmt::format(
      "<details id=\"{}\"><summary>{}<span class=\"name\">{}</span><span>{}</span></summary><dl>{}</dl></details>\n",
      consideration.id, VerdictSpan(judgement.verdict), consideration.id, EscapeMarkup(judgement.reason), list);
}

std::string ConsiderationSections(const Scorecard& scorecard) {
  std::string out;
  for (const Pillar pillar : kPillars) {
    out += fmt::format("<h2 id=\"{}\">{}</h2>\n", Anchor(pillar), PillarName(pillar));
    for (const ScorecardRow& row : scorecard.rows) {
      if (row.consideration->pillar == pillar) out += Details(row);
    }
  }
  return out;
}

std::string Footer(const Evidence& evidence) {
  const LedgerFacts& facts = evidence.ledger_facts();
  const std::string state = !facts.verified   ? "it was not verified"
                            : *facts.verified ? "every entry and head verifies"
                                              : "it does not verify: " + facts.problem;
  return fmt::format("<footer><p>From a ledger of {} entries; {}.</p></footer>\n", facts.entries, EscapeMarkup(state));
}

}  // namespace

std::string RenderHtml(const Scorecard& scorecard, const Evidence& evidence) {
  const ledger::Entry* identity = evidence.Latest("node.identity");
  const std::string host = EscapeMarkup(identity == nullptr ? "this machine" : identity->subject);
  const auto style = base::EmbeddedData("assess/report.css");
  return fmt::format(
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>Ashlar: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n"
             "<p class=\"soft small\">Ashlar scorecard, {}</p>\n<h1>{}</h1>\n<p>{}</p>\n{}</header>\n<main>\n",
             host, style.ok() ? *style : "", base::HumanTime(scorecard.time), host, CountText(CountVerdicts(scorecard)),
             MachineFacts(evidence)) +
         Tiles(scorecard) + ToDo(scorecard) + Changes(scorecard) + BandwidthSection(evidence) +
         StorageSection(evidence) + CheckSection(evidence) + ConsiderationSections(scorecard) + "</main>\n" +
         Footer(evidence) + "</body>\n</html>\n";
}

}  // namespace ashlar::assess
