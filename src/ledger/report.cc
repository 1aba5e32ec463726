#include "ledger/report.h"

#include "ledger/ledger.h"

namespace ashlar::ledger {
namespace {

constexpr size_t kBodyBytes = 60;  // of a body in the table

// Cut where a character begins, never inside one.
std::string Shortened(std::string text) {
  if (text.size() <= kBodyBytes) return text;
  size_t end = kBodyBytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

double EntriesPerSecond(const VerifyReport& report) {
  const double seconds = absl::ToDoubleSeconds(report.elapsed);
  return seconds > 0 ? static_cast<double>(report.entries) / seconds : 0;
}

}  // namespace

base::Json EntryToJson(const Entry& entry) {
  return base::JsonObject{{"sequence", entry.sequence}, {"time", base::Rfc3339(entry.time)},
                          {"kind", entry.kind},         {"subject", entry.subject},
                          {"actor", entry.actor},       {"body", entry.body}};
}

std::string FormatEntries(std::span<const Entry> entries) {
  base::TextTable table{.rows = {{"sequence", "time", "kind", "subject", "actor", "body"}}, .right = {true}};
  for (const Entry& entry : entries) {
    table.rows.push_back({fmt::format("{}", entry.sequence), base::Rfc3339(entry.time), entry.kind, entry.subject,
                          entry.actor, Shortened(base::WriteJson(entry.body))});
  }
  return base::FormatTable(table);
}

std::string FormatReport(const VerifyReport& report) {
  std::string text = fmt::format("{} entries, {}, hashed in {} ({:.0f} entries/s)\n", report.entries,
                                 base::HumanBytes({report.bytes}), base::HumanDuration(report.elapsed),
                                 EntriesPerSecond(report));
  text += fmt::format("signed head over {} entries, root {}\n", report.tree_size,
                      report.root.empty() ? "unknown" : report.root);
  text += fmt::format("public key from {}\n", report.key_source);
  if (!report.checkpoint.empty()) text += fmt::format("checkpoint over {}\n", report.checkpoint);
  if (report.time_went_back > 0) {
    text += fmt::format("note: time goes back {} times: {}\n", report.time_went_back, report.first_time_went_back);
  }
  for (const Fault& fault : report.faults) {
    text += fmt::format("FAULT {}: {}\n", FaultKindName(fault.kind), fault.message);
  }
  if (report.fault_count > report.faults.size()) {
    text += fmt::format("and {} faults more\n", report.fault_count - report.faults.size());
  }
  if (report.ok()) {
    return text + (report.checkpoint.empty() ? "the ledger verifies; an old copy put back shows only against a "
                                               "checkpoint kept elsewhere\n"
                                             : "the ledger verifies and extends the checkpoint\n");
  }
  return text + "the ledger does NOT verify: keep this database as evidence and restore a copy that verifies\n";
}

base::Json ReportToJson(const VerifyReport& report) {
  base::JsonArray faults;
  for (const Fault& fault : report.faults) {
    faults.push_back(base::JsonObject{{"kind", FaultKindName(fault.kind)},
                                      {"sequence", fault.sequence ? base::Json(*fault.sequence) : base::Json()},
                                      {"message", fault.message}});
  }
  return base::JsonObject{{"verdict", base::VerdictName(report.ok() ? base::Verdict::kPass : base::Verdict::kFail)},
                          {"entries", report.entries},
                          {"bytes", report.bytes},
                          {"tree_size", report.tree_size},
                          {"root", report.root},
                          {"key_source", report.key_source},
                          {"checkpoint", report.checkpoint},
                          {"elapsed_seconds", absl::ToDoubleSeconds(report.elapsed)},
                          {"entries_per_second", EntriesPerSecond(report)},
                          {"time_went_back", report.time_went_back},
                          {"fault_count", report.fault_count},
                          {"faults", std::move(faults)}};
}

}  // namespace ashlar::ledger
