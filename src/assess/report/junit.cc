#include "assess/report/markup.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

void AppendCase(const ScorecardRow& row, std::string& out) {
  const Consideration& consideration = *row.consideration;
  const std::string reason = EscapeMarkup(row.judgement.reason);
  out += fmt::format("    <testcase classname=\"ashlar.{}\" name=\"{}\">",
                     base::Lowercase(PillarName(consideration.pillar)), consideration.id);
  switch (row.judgement.verdict) {
    case base::Verdict::kPass: break;
    case base::Verdict::kFail:
    case base::Verdict::kConflict:
      out += fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", base::VerdictName(row.judgement.verdict),
                         reason, EscapeMarkup(consideration.remedy));
      break;
    case base::Verdict::kUnknown:
    case base::Verdict::kNotApplicable:
      out += fmt::format("<skipped message=\"{}: {}\"/>", base::VerdictName(row.judgement.verdict), reason);
      break;
  }
  out += "</testcase>\n";
}

}  // namespace

std::string RenderJunit(const Scorecard& scorecard) {
  const VerdictCounts all = CountVerdicts(scorecard);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ashlar\" tests=\"{}\" failures=\"{}\" "
      "skipped=\"{}\">\n",
      scorecard.rows.size(), all.fail + all.conflict, all.unknown + all.not_applicable);
  for (const Pillar pillar : {Pillar::kReliability, Pillar::kSecurity, Pillar::kCost, Pillar::kOperations,
                              Pillar::kPerformance, Pillar::kBenchmarks}) {
    const VerdictCounts counts = CountVerdicts(scorecard, pillar);
    const int skipped = counts.unknown + counts.not_applicable;
    const int failed = counts.fail + counts.conflict;
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" timestamp=\"{}\">\n",
                       PillarName(pillar), counts.pass + failed + skipped, failed, skipped,
                       absl::FormatTime("%Y-%m-%d%ET%H:%M:%S", scorecard.time, absl::UTCTimeZone()));
    for (const ScorecardRow& row : scorecard.rows) {
      if (row.consideration->pillar == pillar) AppendCase(row, out);
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace ashlar::assess
