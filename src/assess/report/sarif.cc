#include <map>

#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

// SARIF 2.1.0 section 3.27.9: what kind of result a verdict is.
std::string_view KindOf(base::Verdict verdict) {
  switch (verdict) {
    case base::Verdict::kPass: return "pass";
    case base::Verdict::kFail: return "fail";
    case base::Verdict::kNotApplicable: return "notApplicable";
    case base::Verdict::kConflict: return "review";
    case base::Verdict::kUnknown: break;
  }
  return "open";
}

base::Json Message(std::string_view text) { return base::JsonObject{{"text", text}}; }

base::Json RuleOf(const Consideration& consideration) {
  return base::JsonObject{
      {"id", consideration.id},
      {"shortDescription", Message(consideration.question)},
      {"fullDescription", Message(consideration.why)},
      {"help", Message(consideration.remedy)},
      {"properties", base::JsonObject{{"pillar", PillarName(consideration.pillar)}, {"proof", consideration.proof}}}};
}

// Where the evidence stands: the ledger entry as logical location, the ledger itself as the artifact.
base::Json LocationsOf(const Judgement& judgement) {
  base::JsonArray locations;
  for (const EvidencePointer& pointer : judgement.pointers) {
    const std::string name =
        fmt::format("ledger/{}/{}{}{}", pointer.sequence, pointer.kind, pointer.path.empty() ? "" : "/", pointer.path);
    locations.push_back(base::JsonObject{
        {"physicalLocation",
         base::JsonObject{{"artifactLocation", base::JsonObject{{"uri", "ledger.db"}, {"uriBaseId", "STATE"}}},
                          // The ledger has no lines; consumers want one, and the entry's place is one.
                          {"region", base::JsonObject{{"startLine", pointer.sequence + 1}}}}},
        {"logicalLocations", base::JsonArray{base::JsonObject{{"fullyQualifiedName", name}, {"kind", "resource"}}}}});
  }
  return locations;
}

base::Json ResultOf(const ScorecardRow& row, size_t rule, const std::string& baseline) {
  const Judgement& judgement = row.judgement;
  base::JsonObject result{
      {"ruleId", row.consideration->id},
      {"ruleIndex", rule},
      {"kind", KindOf(judgement.verdict)},
      {"level", judgement.verdict == base::Verdict::kFail ? "error" : "none"},
      {"message", Message(judgement.reason.empty() ? row.consideration->question : judgement.reason)},
      {"locations", LocationsOf(judgement)},
      {"partialFingerprints", base::JsonObject{{"considerationId/v1", row.consideration->id}}},
      {"properties", base::JsonObject{{"grade", base::EvidenceGradeName(judgement.grade)},
                                      {"value", judgement.value},
                                      {"unit", judgement.unit},
                                      {"expectation", judgement.expectation},
                                      {"expectation_source", judgement.expectation_source},
                                      {"command", judgement.command}}}};
  if (!baseline.empty()) result["baselineState"] = baseline;
  return result;
}

}  // namespace

std::string RenderSarif(const Scorecard& scorecard) {
  std::map<std::string_view, bool> changed;
  for (const Change& change : scorecard.changes) changed[change.what] = true;
  base::JsonArray rules;
  base::JsonArray results;
  for (const ScorecardRow& row : scorecard.rows) {
    const std::string state = changed.contains(row.consideration->id) ? "updated" : "unchanged";
    results.push_back(ResultOf(row, rules.size(), scorecard.baseline ? state : ""));
    rules.push_back(RuleOf(*row.consideration));
  }
  const base::Json driver = base::JsonObject{{"name", "ashlar"}, {"rules", std::move(rules)}};
  const base::Json run = base::JsonObject{
      {"tool", base::JsonObject{{"driver", driver}}},
      {"invocations",
       base::JsonArray{base::JsonObject{{"executionSuccessful", true}, {"endTimeUtc", base::Rfc3339(scorecard.time)}}}},
      {"originalUriBaseIds",
       base::JsonObject{{"STATE", base::JsonObject{{"description", Message("the state folder, --data")}}}}},
      {"results", std::move(results)}};
  return base::WriteJsonIndented(base::JsonObject{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", base::JsonArray{run}}});
}

}  // namespace ashlar::assess
