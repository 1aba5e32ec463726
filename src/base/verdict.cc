#include "base/verdict.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ashlar::base {
namespace {

struct VerdictRow {
  Verdict verdict;
  std::string_view name;
  int badness;
  ExitStatus exit_status;
};

constexpr std::array<VerdictRow, 5> kVerdicts = {{
    {Verdict::kPass, "pass", 1, ExitStatus::kPass},
    {Verdict::kFail, "fail", 4, ExitStatus::kFallsShort},
    {Verdict::kUnknown, "unknown", 2, ExitStatus::kCouldNotRun},
    {Verdict::kNotApplicable, "not_applicable", 0, ExitStatus::kPass},
    {Verdict::kConflict, "conflict", 3, ExitStatus::kFallsShort},
}};

constexpr std::array<std::string_view, 3> kGrades = {"declared", "measured", "exercised"};

const VerdictRow& Row(Verdict verdict) { return kVerdicts.at(static_cast<size_t>(verdict)); }

}  // namespace

std::string_view VerdictName(Verdict verdict) { return Row(verdict).name; }

StatusOr<Verdict> ParseVerdict(std::string_view name) {
  for (const VerdictRow& row : kVerdicts) {
    if (row.name == name) return row.verdict;
  }
  return Error(StatusCode::kInvalidArgument, "verdict \"{}\": want pass, fail, unknown, not_applicable or conflict",
               name);
}

std::string_view EvidenceGradeName(EvidenceGrade grade) { return kGrades.at(static_cast<size_t>(grade)); }

StatusOr<EvidenceGrade> ParseEvidenceGrade(std::string_view name) {
  const auto* found = std::find(kGrades.begin(), kGrades.end(), name);
  if (found == kGrades.end()) {
    return Error(StatusCode::kInvalidArgument, "evidence grade \"{}\": want declared, measured or exercised", name);
  }
  return static_cast<EvidenceGrade>(found - kGrades.begin());
}

Json FindingToJson(const Finding& finding) {
  // Readings come from the outside: one bad byte must not keep the rest from the ledger.
  return StorableJson(JsonObject{{"id", finding.id},
                                 {"verdict", std::string(VerdictName(finding.verdict))},
                                 {"value", finding.value},
                                 {"unit", finding.unit},
                                 {"expectation", finding.expectation},
                                 {"expectation_source", finding.expectation_source},
                                 {"read_from", finding.read_from},
                                 {"grade", std::string(EvidenceGradeName(finding.grade))},
                                 {"reason", finding.reason}});
}

StatusOr<Finding> FindingFromJson(const Json& json) {
  Finding finding;
  const std::array<std::pair<const char*, std::string*>, 6> texts = {{
      {"id", &finding.id},
      {"unit", &finding.unit},
      {"expectation", &finding.expectation},
      {"expectation_source", &finding.expectation_source},
      {"read_from", &finding.read_from},
      {"reason", &finding.reason},
  }};
  for (const auto& [key, text] : texts) {
    ASHLAR_ASSIGN_OR_RETURN(*text, GetString(json, key));
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::string verdict, GetString(json, "verdict"));
  ASHLAR_ASSIGN_OR_RETURN(finding.verdict, ParseVerdict(verdict));
  ASHLAR_ASSIGN_OR_RETURN(const std::string grade, GetString(json, "grade"));
  ASHLAR_ASSIGN_OR_RETURN(finding.grade, ParseEvidenceGrade(grade));
  const Json* value = Find(json, "value");
  if (value == nullptr) return Error(StatusCode::kInvalidArgument, "\"value\" is missing");
  finding.value = *value;
  return finding;
}

Verdict WorstVerdict(std::span<const Finding> findings) {
  const auto worst = std::max_element(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return Row(a.verdict).badness < Row(b.verdict).badness;
  });
  return worst == findings.end() ? Verdict::kUnknown : worst->verdict;
}

ExitStatus ExitStatusOf(Verdict verdict) { return Row(verdict).exit_status; }

}  // namespace ashlar::base
