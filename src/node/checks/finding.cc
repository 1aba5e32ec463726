#include "node/checks/finding.h"

#include <algorithm>
#include <utility>

namespace ashlar::node {
namespace {

constexpr size_t kNamesShown = 4;

base::Finding Decide(base::Finding finding, base::Verdict verdict, std::string reason) {
  finding.verdict = verdict;
  finding.reason = std::move(reason);
  return finding;
}

}  // namespace

base::Finding StartFinding(const FindingStart& start) {
  base::Finding finding;
  finding.id = start.id;
  finding.read_from = start.read_from;
  finding.unit = start.unit;
  return finding;
}

void Expect(base::Finding& finding, std::string expectation, std::string source) {
  finding.expectation = std::move(expectation);
  finding.expectation_source = std::move(source);
}

base::Finding Pass(base::Finding finding) { return Decide(std::move(finding), base::Verdict::kPass, ""); }

base::Finding Fail(base::Finding finding, std::string reason) {
  return Decide(std::move(finding), base::Verdict::kFail, std::move(reason));
}

base::Finding CannotTell(base::Finding finding, std::string reason) {
  return Decide(std::move(finding), base::Verdict::kUnknown, std::move(reason));
}

base::Finding CannotTell(base::Finding finding, const base::Status& status) {
  return CannotTell(std::move(finding), std::string(base::Message(status)));
}

base::Finding DoesNotApply(base::Finding finding, std::string reason) {
  return Decide(std::move(finding), base::Verdict::kNotApplicable, std::move(reason));
}

std::string FewNames(const std::vector<std::string>& names) {
  if (names.size() <= kNamesShown) return base::Join(names, ", ");
  const std::vector<std::string> shown(names.begin(), names.begin() + kNamesShown);
  return fmt::format("{} and {} more", base::Join(shown, ", "), names.size() - kNamesShown);
}

base::Json NamesToJson(const std::vector<std::string>& names) {
  base::JsonArray array;
  for (const auto& name : names) array.emplace_back(name);
  return array;
}

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return base::GlobMatch(pattern, name); });
}

std::string Percent(double share) {
  const std::string text = fmt::format("{:.1f}", share * 100);
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " %";
}

}  // namespace ashlar::node
