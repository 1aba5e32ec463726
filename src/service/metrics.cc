#include "service/metrics.h"

#include <map>

namespace ashlar::service {
namespace {

void Family(std::string_view name, std::string_view help, std::string& out) {
  out += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

void AppendConsiderations(const assess::Scorecard& scorecard, std::string& out) {
  Family("ashlar_consideration_verdict", "1 for the verdict of each consideration.", out);
  for (const assess::ScorecardRow& row : scorecard.rows) {
    out += fmt::format("ashlar_consideration_verdict{{id=\"{}\",pillar=\"{}\",verdict=\"{}\"}} 1\n",
                       row.consideration->id, base::Lowercase(assess::PillarName(row.consideration->pillar)),
                       base::VerdictName(row.judgement.verdict));
  }
}

void AppendChecks(const assess::Evidence& evidence, std::string& out) {
  std::string samples;
  for (const ledger::Entry* entry : evidence.LatestOfEach("node.check")) {
    const auto findings = assess::FindingsOf(*entry);
    if (!findings.ok()) continue;
    for (const base::Finding& finding : *findings) {
      samples += fmt::format("ashlar_check_verdict{{node=\"{}\",id=\"{}\",verdict=\"{}\"}} 1\n",
                             EscapeLabel(entry->subject), EscapeLabel(finding.id), base::VerdictName(finding.verdict));
    }
  }
  if (samples.empty()) return;
  Family("ashlar_check_verdict", "1 for the verdict of each health check.", out);
  out += samples;
}

void AppendCollectives(const assess::Evidence& evidence, std::string& out) {
  std::map<std::string, double> peaks;  // by labels; the newest entry of equal labels wins
  for (const ledger::Entry* entry : evidence.All("bench.coll")) {
    const auto peak = assess::PeakOf(*entry);
    if (!peak) continue;
    peaks[fmt::format("node=\"{}\",collective=\"{}\",backend=\"{}\",ranks=\"{}\"", EscapeLabel(entry->subject),
                      EscapeLabel(assess::TextAt(*entry, "collective")), EscapeLabel(assess::TextAt(*entry, "backend")),
                      assess::NumberAt(*entry, "ranks").value_or(0))] = peak->busbw_bytes_per_second;
  }
  if (peaks.empty()) return;
  Family("ashlar_collective_peak_busbw_bytes_per_second", "Greatest bus bandwidth over message sizes.", out);
  for (const auto& [labels, peak] : peaks) {
    out += fmt::format("ashlar_collective_peak_busbw_bytes_per_second{{{}}} {}\n", labels, peak);
  }
}

void AppendStorage(const assess::Evidence& evidence, std::string& out) {
  std::string samples;
  for (const ledger::Entry* entry : evidence.LatestOfEach("bench.storage")) {
    const base::Json* runs = base::Find(entry->body, "runs");
    if (runs == nullptr || !runs->is_array()) continue;
    for (const base::Json& run : runs->get_array()) {
      const auto name = base::GetString(run, "name");
      const auto bandwidth = base::GetNumber(run, "bandwidth_bytes_per_second");
      if (!name.ok() || !bandwidth.ok()) continue;
      samples += fmt::format("ashlar_storage_bandwidth_bytes_per_second{{node=\"{}\",run=\"{}\"}} {}\n",
                             EscapeLabel(entry->subject), EscapeLabel(*name), *bandwidth);
    }
  }
  if (samples.empty()) return;
  Family("ashlar_storage_bandwidth_bytes_per_second", "Bandwidth of each kind of access.", out);
  out += samples;
}

}  // namespace

std::string EscapeLabel(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void AppendScorecardMetrics(const assess::Scorecard& scorecard, const assess::Evidence& evidence, std::string& out) {
  AppendConsiderations(scorecard, out);
  AppendChecks(evidence, out);
  AppendCollectives(evidence, out);
  AppendStorage(evidence, out);
  Family("ashlar_ledger_entries", "Entries in the ledger when the scorecard was made.", out);
  out += fmt::format("ashlar_ledger_entries {}\n", evidence.ledger_facts().entries);
  Family("ashlar_scorecard_timestamp_seconds", "When the scorecard was made, Unix time.", out);
  out += fmt::format("ashlar_scorecard_timestamp_seconds {:.3f}\n",
                     absl::ToDoubleSeconds(scorecard.time - absl::UnixEpoch()));
}

}  // namespace ashlar::service
