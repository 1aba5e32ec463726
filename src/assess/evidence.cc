#include "assess/evidence.h"

#include <algorithm>
#include <array>
#include <map>

#include "assess/limits.h"

namespace ashlar::assess {
namespace {

constexpr std::array<const char*, 5> kKinds = {"node.identity", "node.check", "bench.coll", "bench.storage",
                                               "assess.scorecard"};

}  // namespace

base::StatusOr<Evidence> Evidence::Load(ledger::Ledger& ledger, base::Json config, absl::Time now) {
  Evidence evidence(std::move(config), now);
  for (const char* kind : kKinds) {
    auto entries = ledger.Read(
        {.kind = kind, .subject = "", .from_sequence = 0, .limit = kMaxEntriesOfAKind, .newest_first = true});
    if (!entries.ok()) return base::Annotate(entries.status(), fmt::format("reading {} entries", kind));
    for (ledger::Entry& entry : *entries) evidence.Add(std::move(entry));
  }
  ASHLAR_ASSIGN_OR_RETURN(evidence.facts_.entries, ledger.Size());
  return evidence;
}

void Evidence::Add(ledger::Entry entry) {
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), entry.sequence,
                       [](uint64_t sequence, const ledger::Entry& other) { return sequence < other.sequence; });
  entries_.insert(after, std::move(entry));
}

std::vector<const ledger::Entry*> Evidence::All(std::string_view kind) const {
  std::vector<const ledger::Entry*> found;
  for (const ledger::Entry& entry : entries_) {
    if (entry.kind == kind) found.push_back(&entry);
  }
  return found;
}

const ledger::Entry* Evidence::Latest(std::string_view kind) const {
  const auto all = All(kind);
  return all.empty() ? nullptr : all.back();
}

std::vector<const ledger::Entry*> Evidence::LatestOfEach(std::string_view kind) const {
  std::map<std::string_view, const ledger::Entry*> latest;
  for (const ledger::Entry* entry : All(kind)) latest[entry->subject] = entry;
  std::vector<const ledger::Entry*> found;
  found.reserve(latest.size());
  for (const auto& [subject, entry] : latest) found.push_back(entry);
  return found;
}

EvidencePointer PointTo(const ledger::Entry& entry, std::string_view path) {
  return {entry.sequence, entry.kind, entry.subject, std::string(path), entry.time};
}

base::StatusOr<std::vector<base::Finding>> FindingsOf(const ledger::Entry& entry) {
  const base::Json* list = base::Find(entry.body, "findings");
  if (list == nullptr || !list->is_array()) {
    return base::Error(base::StatusCode::kInvalidArgument, "entry {} ({}) holds no list of findings", entry.sequence,
                       entry.kind);
  }
  std::vector<base::Finding> findings;
  for (const base::Json& json : list->get_array()) {
    auto finding = base::FindingFromJson(json);
    if (!finding.ok()) {
      return base::Annotate(finding.status(), fmt::format("entry {} ({})", entry.sequence, entry.kind));
    }
    findings.push_back(*std::move(finding));
  }
  return findings;
}

std::optional<double> NumberAt(const ledger::Entry& entry, std::string_view path) {
  const base::Json* json = base::FindPath(entry.body, path);
  if (json == nullptr || !json->is_number()) return std::nullopt;
  return json->to_number<double>();
}

std::string TextAt(const ledger::Entry& entry, std::string_view path) {
  const base::Json* json = base::FindPath(entry.body, path);
  if (json == nullptr || !json->is_string()) return "";
  return std::string(json->get_string());
}

}  // namespace ashlar::assess
