#include "assess/scorecard.h"

#include <map>
#include <utility>

namespace ashlar::assess {
namespace {

// The verdict of each consideration in a stored scorecard; empty when it is malformed.
std::map<std::string, std::string> StoredVerdicts(const ledger::Entry& entry) {
  std::map<std::string, std::string> verdicts;
  const base::Json* rows = base::Find(entry.body, "scorecard");
  if (rows == nullptr || !rows->is_array()) return verdicts;
  for (const base::Json& row : rows->get_array()) {
    const auto id = base::GetString(row, "id");
    const auto verdict = base::GetString(row, "verdict");
    if (id.ok() && verdict.ok() && base::ParseVerdict(*verdict).ok()) verdicts[*id] = *verdict;
  }
  return verdicts;
}

void CompareWithStored(const ledger::Entry& entry, Scorecard& scorecard) {
  const auto stored = StoredVerdicts(entry);
  for (const ScorecardRow& row : scorecard.rows) {
    const auto before = stored.find(std::string(row.consideration->id));
    const std::string after(base::VerdictName(row.judgement.verdict));
    if (before == stored.end() || before->second == after) continue;
    const bool worse = row.judgement.verdict == base::Verdict::kFail || before->second == "pass";
    scorecard.changes.push_back({before->first, before->second, after, worse});
  }
}

void Count(base::Verdict verdict, VerdictCounts& counts) {
  switch (verdict) {
    case base::Verdict::kPass: ++counts.pass; break;
    case base::Verdict::kFail: ++counts.fail; break;
    case base::Verdict::kUnknown: ++counts.unknown; break;
    case base::Verdict::kNotApplicable: ++counts.not_applicable; break;
    case base::Verdict::kConflict: ++counts.conflict; break;
  }
}

base::Json RowToJson(const ScorecardRow& row) {
  base::Json json = JudgementToJson(row.judgement);
  base::JsonObject& object = json.as_object();
  object["id"] = row.consideration->id;
  object["pillar"] = PillarName(row.consideration->pillar);
  object["question"] = row.consideration->question;
  object["remedy"] = row.consideration->remedy;
  return json;
}

}  // namespace

Scorecard Assess(const Evidence& evidence) {
  Scorecard scorecard;
  scorecard.time = evidence.now();
  for (const Consideration* consideration : Considerations()) {
    scorecard.rows.push_back({consideration, consideration->judge(evidence)});
  }
  if (const ledger::Entry* before = evidence.Latest("assess.scorecard")) {
    scorecard.baseline = before->sequence;
    CompareWithStored(*before, scorecard);
    for (Change& change : MeasuredChanges(evidence)) scorecard.changes.push_back(std::move(change));
  }
  return scorecard;
}

VerdictCounts CountVerdicts(const Scorecard& scorecard) {
  VerdictCounts counts;
  for (const ScorecardRow& row : scorecard.rows) Count(row.judgement.verdict, counts);
  return counts;
}

VerdictCounts CountVerdicts(const Scorecard& scorecard, Pillar pillar) {
  VerdictCounts counts;
  for (const ScorecardRow& row : scorecard.rows) {
    if (row.consideration->pillar == pillar) Count(row.judgement.verdict, counts);
  }
  return counts;
}

base::ExitStatus ExitStatusOf(const Scorecard& scorecard) {
  const VerdictCounts counts = CountVerdicts(scorecard);
  if (counts.fail + counts.conflict > 0) return base::ExitStatus::kFallsShort;
  return counts.pass > 0 ? base::ExitStatus::kPass : base::ExitStatus::kCouldNotRun;
}

base::Json ScorecardToJson(const Scorecard& scorecard) {
  base::JsonArray rows;
  for (const ScorecardRow& row : scorecard.rows) rows.push_back(RowToJson(row));
  base::JsonArray changes;
  for (const Change& change : scorecard.changes) changes.push_back(ChangeToJson(change));
  const VerdictCounts counts = CountVerdicts(scorecard);
  return base::JsonObject{{"schema", "ashlar.assess.scorecard/1"},
                          {"time", base::Rfc3339(scorecard.time)},
                          {"counts", base::JsonObject{{"pass", counts.pass},
                                                      {"fail", counts.fail},
                                                      {"unknown", counts.unknown},
                                                      {"not_applicable", counts.not_applicable},
                                                      {"conflict", counts.conflict}}},
                          {"scorecard", std::move(rows)},
                          {"changes", std::move(changes)},
                          {"baseline", scorecard.baseline ? base::Json(*scorecard.baseline) : base::Json(nullptr)}};
}

}  // namespace ashlar::assess
