#include "node/nhc/plan_report.h"

#include <cctype>

namespace ashlar::node {
namespace {

std::string_view Word(NhcOutcome outcome) {
  switch (outcome) {
    case NhcOutcome::kCheck: return "check";
    case NhcOutcome::kSetting: return "setting";
    case NhcOutcome::kOtherHost: return "n/a";
    case NhcOutcome::kUnknown: return "UNKNOWN";
  }
  return "";
}

// A configuration must not steer the terminal.
std::string Printable(std::string_view text) {
  std::string clean;
  for (const char letter : text) clean.push_back(std::iscntrl(static_cast<unsigned char>(letter)) != 0 ? '?' : letter);
  return clean;
}

}  // namespace

std::string FormatNhcPlan(const NhcPlan& plan) {
  std::string text;
  for (const auto& line : plan.lines) {
    text += fmt::format("{:>6}  {:<8}{}\n{:16}{}\n", line.number, Word(line.outcome), Printable(line.text), "",
                        Printable(line.says));
  }
  text += fmt::format("{} for {}: checks {}, settings {}, other hosts {}, unknown {}\n", Printable(plan.path),
                      Printable(plan.host), plan.Count(NhcOutcome::kCheck), plan.Count(NhcOutcome::kSetting),
                      plan.Count(NhcOutcome::kOtherHost), plan.Count(NhcOutcome::kUnknown));
  return text;
}

base::Json NhcPlanToJson(const NhcPlan& plan) {
  base::JsonArray lines;
  for (const auto& line : plan.lines) {
    lines.push_back(base::JsonObject{{"line", line.number},
                                     {"text", line.text},
                                     {"target", base::Utf8Text(line.target)},
                                     {"check", line.name},
                                     {"outcome", NhcOutcomeName(line.outcome)},
                                     {"says", line.says}});
  }
  return base::JsonObject{
      {"conf", base::Utf8Text(plan.path)}, {"host", base::Utf8Text(plan.host)}, {"lines", std::move(lines)}};
}

base::Verdict NhcPlanVerdict(const NhcPlan& plan) {
  const bool all = plan.Count(NhcOutcome::kUnknown) == 0 && plan.Count(NhcOutcome::kCheck) > 0;
  return all ? base::Verdict::kPass : base::Verdict::kUnknown;
}

}  // namespace ashlar::node
