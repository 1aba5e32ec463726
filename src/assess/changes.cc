#include "assess/changes.h"

#include <cmath>
#include <map>

#include "assess/collectives.h"
#include "assess/tolerances.h"

namespace ashlar::assess {
namespace {

void CompareRates(const std::string& what, double before, double after, double tolerance,
                  std::vector<Change>& changes) {
  if (before <= 0 || std::abs(after - before) <= tolerance * before) return;
  changes.push_back({what, base::HumanRate({before}), base::HumanRate({after}), after < before});
}

// The newest entry and the one before it, for each machine.
struct Pair {
  const ledger::Entry* before = nullptr;
  const ledger::Entry* after = nullptr;
};

void CompareChecks(const Evidence& evidence, std::vector<Change>& changes) {
  std::map<std::string, Pair> pairs;
  for (const ledger::Entry* entry : evidence.All("node.check")) {
    Pair& pair = pairs[entry->subject];
    pair = {pair.after, entry};
  }
  for (const auto& [subject, pair] : pairs) {
    if (pair.before == nullptr) continue;
    const auto before = FindingsOf(*pair.before);
    const auto after = FindingsOf(*pair.after);
    if (!before.ok() || !after.ok()) continue;
    std::map<std::string, base::Verdict> was;
    for (const base::Finding& finding : *before) was[finding.id] = finding.verdict;
    for (const base::Finding& finding : *after) {
      const auto found = was.find(finding.id);
      if (found == was.end() || found->second == finding.verdict) continue;
      changes.push_back({finding.id, std::string(base::VerdictName(found->second)),
                         std::string(base::VerdictName(finding.verdict)), finding.verdict == base::Verdict::kFail});
    }
  }
}

void CompareCollectives(const Evidence& evidence, double tolerance, std::vector<Change>& changes) {
  std::map<std::string, Pair> pairs;
  for (const ledger::Entry* entry : evidence.All("bench.coll")) {
    const std::string key = fmt::format("{} {} {} {} {}", TextAt(*entry, "collective"), TextAt(*entry, "backend"),
                                        NumberAt(*entry, "ranks").value_or(0), TextAt(*entry, "datatype"),
                                        TextAt(*entry, "machine.digest"));
    Pair& pair = pairs[key];
    pair = {pair.after, entry};
  }
  for (const auto& [key, pair] : pairs) {
    if (pair.before == nullptr) continue;
    const auto before = PeakOf(*pair.before);
    const auto after = PeakOf(*pair.after);
    if (!before || !after) continue;
    CompareRates(TextAt(*pair.after, "collective") + " peak bus bandwidth", before->busbw_bytes_per_second,
                 after->busbw_bytes_per_second, tolerance, changes);
  }
}

std::map<std::string, double> BandwidthsOf(const ledger::Entry& storage) {
  std::map<std::string, double> bandwidths;
  const base::Json* runs = base::Find(storage.body, "runs");
  if (runs == nullptr || !runs->is_array()) return bandwidths;
  for (const base::Json& run : runs->get_array()) {
    const auto name = base::GetString(run, "name");
    const auto bandwidth = base::GetNumber(run, "bandwidth_bytes_per_second");
    if (name.ok() && bandwidth.ok()) bandwidths[*name] = *bandwidth;
  }
  return bandwidths;
}

void CompareStorage(const Evidence& evidence, double tolerance, std::vector<Change>& changes) {
  std::map<std::string, Pair> pairs;
  for (const ledger::Entry* entry : evidence.All("bench.storage")) {
    Pair& pair = pairs[entry->subject + " " + TextAt(*entry, "path") + " " + TextAt(*entry, "device")];
    pair = {pair.after, entry};
  }
  for (const auto& [key, pair] : pairs) {
    if (pair.before == nullptr) continue;
    const auto before = BandwidthsOf(*pair.before);
    for (const auto& [name, bandwidth] : BandwidthsOf(*pair.after)) {
      const auto was = before.find(name);
      if (was != before.end()) CompareRates(name, was->second, bandwidth, tolerance, changes);
    }
  }
}

}  // namespace

base::Json ChangeToJson(const Change& change) {
  return base::JsonObject{
      {"what", change.what}, {"before", change.before}, {"after", change.after}, {"worse", change.worse}};
}

std::vector<Change> MeasuredChanges(const Evidence& evidence) {
  std::vector<Change> changes;
  CompareChecks(evidence, changes);
  if (const auto tolerance = ToleranceOf("collective_peak"); tolerance.ok()) {
    CompareCollectives(evidence, *tolerance, changes);
  }
  if (const auto tolerance = ToleranceOf("storage_bandwidth"); tolerance.ok()) {
    CompareStorage(evidence, *tolerance, changes);
  }
  return changes;
}

}  // namespace ashlar::assess
