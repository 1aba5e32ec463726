#include "assess/judgement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "assess/limits.h"

namespace ashlar::assess {
namespace {

std::vector<std::string> IdsWith(std::span<const base::Finding> findings, base::Verdict verdict) {
  std::vector<std::string> ids;
  for (const base::Finding& finding : findings) {
    if (finding.verdict == verdict) ids.push_back(finding.id);
  }
  return ids;
}

base::Json PointerToJson(const EvidencePointer& pointer) {
  return base::JsonObject{{"sequence", pointer.sequence},
                          {"kind", pointer.kind},
                          {"subject", pointer.subject},
                          {"path", pointer.path},
                          {"time", base::Rfc3339(pointer.time)}};
}

base::StatusOr<EvidencePointer> PointerFromJson(const base::Json& json) {
  EvidencePointer pointer;
  ASHLAR_ASSIGN_OR_RETURN(const int64_t sequence, base::GetInt(json, "sequence"));
  if (sequence < 0) return base::Error(base::StatusCode::kInvalidArgument, "\"sequence\" is negative");
  pointer.sequence = static_cast<uint64_t>(sequence);
  ASHLAR_ASSIGN_OR_RETURN(pointer.kind, base::GetString(json, "kind"));
  ASHLAR_ASSIGN_OR_RETURN(pointer.subject, base::GetString(json, "subject"));
  ASHLAR_ASSIGN_OR_RETURN(pointer.path, base::GetString(json, "path"));
  ASHLAR_ASSIGN_OR_RETURN(const std::string time, base::GetString(json, "time"));
  ASHLAR_ASSIGN_OR_RETURN(pointer.time, base::ParseRfc3339(time));
  return pointer;
}

}  // namespace

Judgement Unknown(std::string reason, std::string command) {
  Judgement judgement;
  judgement.reason = std::move(reason);
  judgement.command = std::move(command);
  return judgement;
}

Judgement NotInThisVersion(std::string reason, std::string command) {
  Judgement judgement = Unknown(std::move(reason), std::move(command));
  judgement.command_exists = false;
  return judgement;
}

Judgement NotApplicable(std::string reason, const ledger::Entry& entry, std::string_view path) {
  Judgement judgement;
  judgement.verdict = base::Verdict::kNotApplicable;
  judgement.reason = std::move(reason);
  judgement.pointers.push_back(PointTo(entry, path));
  return judgement;
}

Judgement FromFindings(std::span<const base::Finding> findings, const ledger::Entry& entry, std::string command) {
  Judgement judgement;
  judgement.command = std::move(command);
  judgement.verdict = base::WorstVerdict(findings);
  const auto passed = IdsWith(findings, base::Verdict::kPass);
  const auto failed = IdsWith(findings, base::Verdict::kFail);
  const auto unknown = IdsWith(findings, base::Verdict::kUnknown);
  judgement.value = base::JsonObject{{"pass", passed.size()}, {"fail", failed.size()}, {"unknown", unknown.size()}};
  if (!failed.empty()) {
    judgement.reason = fmt::format("{} failed: {}", failed.size(), ListNames(failed));
  } else if (!unknown.empty()) {
    judgement.reason = fmt::format("{} could not be answered: {}", unknown.size(), ListNames(unknown));
  } else if (passed.empty()) {
    judgement.verdict = base::Verdict::kUnknown;
    judgement.reason = "nothing was checked";
  } else {
    judgement.reason = fmt::format("{} passed", passed.size());
  }
  const auto worst = std::find_if(findings.begin(), findings.end(),
                                  [&](const base::Finding& finding) { return finding.verdict == judgement.verdict; });
  const bool point_at_one = worst != findings.end() && judgement.verdict != base::Verdict::kPass;
  judgement.pointers.push_back(
      PointTo(entry, point_at_one ? fmt::format("findings[{}]", worst - findings.begin()) : "findings"));
  return judgement;
}

std::string ListNames(std::span<const std::string> names) {
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kMaxNamesInReason); ++i) {
    list += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMaxNamesInReason) list += fmt::format(" and {} more", names.size() - kMaxNamesInReason);
  return list;
}

base::Json JudgementToJson(const Judgement& judgement) {
  base::JsonArray pointers;
  for (const EvidencePointer& pointer : judgement.pointers) pointers.push_back(PointerToJson(pointer));
  return base::JsonObject{{"verdict", std::string(base::VerdictName(judgement.verdict))},
                          {"grade", std::string(base::EvidenceGradeName(judgement.grade))},
                          {"value", judgement.value},
                          {"unit", judgement.unit},
                          {"expectation", judgement.expectation},
                          {"expectation_source", judgement.expectation_source},
                          {"reason", judgement.reason},
                          {"command", judgement.command},
                          {"command_exists", judgement.command_exists},
                          {"evidence", std::move(pointers)}};
}

base::StatusOr<Judgement> JudgementFromJson(const base::Json& json) {
  Judgement judgement;
  const std::array<std::pair<const char*, std::string*>, 5> texts = {{
      {"unit", &judgement.unit},
      {"expectation", &judgement.expectation},
      {"expectation_source", &judgement.expectation_source},
      {"reason", &judgement.reason},
      {"command", &judgement.command},
  }};
  for (const auto& [key, text] : texts) {
    ASHLAR_ASSIGN_OR_RETURN(*text, base::GetString(json, key));
  }
  ASHLAR_ASSIGN_OR_RETURN(const std::string verdict, base::GetString(json, "verdict"));
  ASHLAR_ASSIGN_OR_RETURN(judgement.verdict, base::ParseVerdict(verdict));
  ASHLAR_ASSIGN_OR_RETURN(const std::string grade, base::GetString(json, "grade"));
  ASHLAR_ASSIGN_OR_RETURN(judgement.grade, base::ParseEvidenceGrade(grade));
  ASHLAR_ASSIGN_OR_RETURN(judgement.command_exists, base::GetBool(json, "command_exists"));
  if (const base::Json* value = base::Find(json, "value")) judgement.value = *value;
  const base::Json* pointers = base::Find(json, "evidence");
  if (pointers == nullptr || !pointers->is_array()) {
    return base::Error(base::StatusCode::kInvalidArgument, "\"evidence\" is not a list");
  }
  for (const base::Json& element : pointers->get_array()) {
    ASHLAR_ASSIGN_OR_RETURN(EvidencePointer pointer, PointerFromJson(element));
    judgement.pointers.push_back(std::move(pointer));
  }
  return judgement;
}

}  // namespace ashlar::assess
