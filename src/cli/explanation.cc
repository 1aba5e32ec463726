#include "cli/explanation.h"

#include <algorithm>
#include <set>

namespace ashlar::cli {
namespace {

using base::Error;
using base::Json;
using base::JsonArray;
using base::JsonObject;
using base::StatusCode;

constexpr size_t kMostEntries = 20;        // of one kind that are told of a finding
constexpr size_t kMostEntriesRead = 1000;  // of one kind that are searched, the newest
// Kinds whose bodies hold findings.
constexpr const char* kKindsWithFindings[] = {"node.check", "bench.coll", "bench.storage",
                                              "bench.read", "validate",   "validate.drill"};

JsonObject EntryJson(const ledger::Entry& entry) {
  return {{"sequence", entry.sequence},
          {"entry_kind", entry.kind},
          {"subject", entry.subject},
          {"actor", entry.actor},
          {"time", base::Rfc3339(entry.time)}};
}

base::StatusOr<ledger::Entry> EntryAt(ledger::Ledger& ledger, uint64_t sequence) {
  ASHLAR_ASSIGN_OR_RETURN(auto entries, ledger.Read({.from_sequence = sequence, .limit = 1}));
  if (entries.empty() || entries.front().sequence != sequence) {
    return Error(StatusCode::kNotFound, "the ledger has no entry {}", sequence);
  }
  return std::move(entries.front());
}

// What a pointer points at: "findings[3].value" is told with the whole finding, where it was read included.
void AddPointed(const ledger::Entry& entry, const std::string& path, JsonObject& evidence) {
  evidence["path"] = path;
  const size_t end = path.find(']');
  if (path.starts_with("findings[") && end != std::string::npos) {
    const Json* finding = base::FindPath(entry.body, path.substr(0, end + 1));
    if (finding != nullptr) evidence["finding"] = *finding;
    return;
  }
  const Json* value = path.empty() ? nullptr : base::FindPath(entry.body, path);
  if (value != nullptr && !value->is_object() && !value->is_array()) evidence["value"] = *value;
}

base::StatusOr<Json> ExplainConsideration(ledger::Ledger& ledger, const assess::Scorecard& scorecard,
                                          const assess::ScorecardRow& row) {
  const Json all = assess::ScorecardToJson(scorecard);
  JsonObject explanation;
  for (const Json& one : all.at("scorecard").get_array()) {
    if (base::GetString(one, "id").value_or("") == row.consideration->id) explanation = one.get_object();
  }
  explanation["kind"] = "consideration";
  JsonArray evidence;
  for (const assess::EvidencePointer& pointer : row.judgement.pointers) {
    ASHLAR_ASSIGN_OR_RETURN(const ledger::Entry entry, EntryAt(ledger, pointer.sequence));
    JsonObject one = EntryJson(entry);
    AddPointed(entry, pointer.path, one);
    evidence.emplace_back(std::move(one));
  }
  explanation["evidence"] = std::move(evidence);
  return explanation;
}

void AddFindings(const ledger::Entry& entry, const std::string& id, std::set<std::string>& known, JsonArray& evidence) {
  const Json* findings = base::Find(entry.body, "findings");
  if (findings == nullptr || !findings->is_array()) return;
  for (size_t i = 0; i < findings->get_array().size(); ++i) {
    const Json& finding = findings->get_array()[i];
    const std::string own = base::GetString(finding, "id").value_or("");
    known.insert(own);
    if (own != id) continue;
    JsonObject one = EntryJson(entry);
    one["path"] = fmt::format("findings[{}]", i);
    one["finding"] = finding;
    evidence.emplace_back(std::move(one));
  }
}

base::StatusOr<Json> ExplainFinding(ledger::Ledger& ledger, const assess::Scorecard& scorecard, const std::string& id) {
  JsonArray evidence;
  std::set<std::string> known;
  for (const char* kind : kKindsWithFindings) {
    ASHLAR_ASSIGN_OR_RETURN(const auto entries,
                            ledger.Read({.kind = kind, .limit = kMostEntriesRead, .newest_first = true}));
    size_t told = 0;
    for (const ledger::Entry& entry : entries) {
      const size_t before = evidence.size();
      if (told < kMostEntries) AddFindings(entry, id, known, evidence);
      told += evidence.size() > before ? 1 : 0;
    }
  }
  if (!evidence.empty()) {
    // The newest says how it stands.
    const auto newest = std::max_element(evidence.begin(), evidence.end(), [](const Json& a, const Json& b) {
      return base::GetInt(a, "sequence").value_or(0) < base::GetInt(b, "sequence").value_or(0);
    });
    return JsonObject{{"id", id},
                      {"kind", "finding"},
                      {"verdict", base::GetString(newest->at("finding"), "verdict").value_or("unknown")},
                      {"evidence", std::move(evidence)}};
  }
  std::vector<std::string> names;
  for (const assess::ScorecardRow& row : scorecard.rows) names.emplace_back(row.consideration->id);
  names.insert(names.end(), known.begin(), known.end());
  return Error(StatusCode::kNotFound, "nothing is known of {}; there are entries by number and: {}", id,
               base::Join(names, ", "));
}

std::string ValueText(const Json& object, std::string_view key) {
  const Json* value = base::Find(object, key);
  if (value == nullptr || value->is_null()) return "";
  return value->is_string() ? std::string(value->get_string()) : base::WriteJson(*value);
}

void AddLine(std::string_view name, const std::string& value, int indent, std::string& text) {
  if (!value.empty()) text += fmt::format("{:{}}{:<10} {}\n", "", indent, name, value);
}

void AddVerdict(const Json& object, int indent, std::string& text) {
  const std::string unit = ValueText(object, "unit");
  AddLine("value", ValueText(object, "value") + (unit.empty() ? "" : " " + unit), indent, text);
  const std::string source = ValueText(object, "expectation_source");
  AddLine("expected", ValueText(object, "expectation") + (source.empty() ? "" : " (" + source + ")"), indent, text);
  AddLine("read from", ValueText(object, "read_from"), indent, text);
  AddLine("why", ValueText(object, "reason"), indent, text);
}

}  // namespace

base::StatusOr<Json> Explain(ledger::Ledger& ledger, const assess::Scorecard& scorecard, const std::string& id) {
  const auto sequence = base::ParseUint64(id);
  if (sequence.has_value()) {
    ASHLAR_ASSIGN_OR_RETURN(const ledger::Entry entry, EntryAt(ledger, *sequence));
    JsonObject explanation = EntryJson(entry);
    explanation["id"] = id;
    explanation["kind"] = "entry";
    JsonArray evidence;
    const Json* findings = base::Find(entry.body, "findings");
    if (findings != nullptr && findings->is_array()) {
      for (size_t i = 0; i < findings->get_array().size(); ++i) {
        JsonObject one = EntryJson(entry);
        one["path"] = fmt::format("findings[{}]", i);
        one["finding"] = findings->get_array()[i];
        evidence.emplace_back(std::move(one));
      }
    }
    explanation["evidence"] = std::move(evidence);
    return explanation;
  }
  for (const assess::ScorecardRow& row : scorecard.rows) {
    if (row.consideration->id == id) return ExplainConsideration(ledger, scorecard, row);
  }
  return ExplainFinding(ledger, scorecard, id);
}

std::string ExplanationText(const Json& explanation) {
  std::string text =
      fmt::format("{}: {}\n", ValueText(explanation, "id"),
                  base::GetString(explanation, "verdict").value_or(ValueText(explanation, "entry_kind")));
  AddLine("question", ValueText(explanation, "question"), 2, text);
  AddVerdict(explanation, 2, text);
  AddLine("to do", ValueText(explanation, "remedy"), 2, text);
  AddLine("command", ValueText(explanation, "command"), 2, text);
  const Json* evidence = base::Find(explanation, "evidence");
  const bool none = evidence == nullptr || !evidence->is_array() || evidence->get_array().empty();
  text += none ? "  no entry of the ledger speaks of it\n" : "  evidence:\n";
  for (size_t i = 0; !none && i < evidence->get_array().size(); ++i) {
    const Json& one = evidence->get_array()[i];
    text += fmt::format("    entry {}  {}  {}  {}  by {}  {}\n", ValueText(one, "sequence"),
                        ValueText(one, "entry_kind"), ValueText(one, "subject"), ValueText(one, "time"),
                        ValueText(one, "actor"), ValueText(one, "path"));
    const Json* finding = base::Find(one, "finding");
    if (finding != nullptr) {
      text += fmt::format("      {}: {}\n", ValueText(*finding, "id"), ValueText(*finding, "verdict"));
      AddVerdict(*finding, 8, text);
    }
    AddLine("value", ValueText(one, "value"), 6, text);
  }
  return text;
}

}  // namespace ashlar::cli
