#include "service/summary.h"

#include <map>
#include <set>
#include <vector>

#include "node/node.h"

namespace ashlar::service {
namespace {

double NumberIn(const base::Json& json, std::string_view path) {
  const base::Json* value = base::FindPath(json, path);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::string FormatMachine(const assess::Evidence& evidence) {
  const ledger::Entry* identity = evidence.Latest("node.identity");
  if (identity == nullptr) return "";
  std::string out = fmt::format("{}: {}", identity->subject, assess::TextAt(*identity, "cpu.model"));
  if (const auto threads = assess::NumberAt(*identity, "cpu.threads")) out += fmt::format(", {} threads", *threads);
  if (const auto memory = assess::NumberAt(*identity, "memory_total_bytes")) {
    out += ", " + base::HumanBytes({static_cast<uint64_t>(*memory)});
  }
  const base::Json* gpus = base::FindPath(identity->body, "fingerprint.gpus");
  if (gpus != nullptr && gpus->is_array()) {
    if (gpus->get_array().empty()) out += ", no GPU";
    for (const base::Json& gpu : gpus->get_array()) {
      if (gpu.is_string()) out += fmt::format(", {}", std::string_view(gpu.get_string()));
    }
  }
  return out +
         fmt::format("\n{}, kernel {}\n", assess::TextAt(*identity, "os.name"), assess::TextAt(*identity, "kernel"));
}

std::string FormatChecks(const assess::Evidence& evidence, bool colour) {
  const ledger::Entry* check = evidence.Latest("node.check");
  if (check == nullptr) return "";
  const auto findings = assess::FindingsOf(*check);
  if (!findings.ok()) return "";
  std::string out = "\nHealth checks\n";
  for (const base::Finding& finding : *findings) out += node::FormatFinding(finding, {.colour = colour});
  return out + node::FormatCheckSummary(*findings) + "\n";
}

// Bus bandwidth of one collective by message size.
std::map<double, double> BandwidthOf(const ledger::Entry& coll) {
  std::map<double, double> bandwidth;
  const base::Json* rows = base::Find(coll.body, "rows");
  if (rows == nullptr || !rows->is_array()) return bandwidth;
  for (const base::Json& row : rows->get_array()) {
    const double size = NumberIn(row, "size_bytes");
    const double rate = NumberIn(row, "out_of_place.busbw_bytes_per_second");
    if (size > 0 && rate > 0) bandwidth[size] = rate;
  }
  return bandwidth;
}

// The sizes that a short table shows: every third power of two, and the largest.
bool Shown(double size, double largest) {
  const auto whole = static_cast<uint64_t>(size);
  int power = 0;
  while ((whole >> (power + 1)) > 0) ++power;
  return size == largest || (whole == (uint64_t{1} << power) && power % 3 == 0);
}

std::string FormatCollectives(const assess::Evidence& evidence) {
  std::map<std::string, const ledger::Entry*> newest;
  for (const ledger::Entry* entry : evidence.All("bench.coll")) {
    newest[assess::TextAt(*entry, "collective")] = entry;
  }
  std::set<double> sizes;
  std::map<std::string, std::map<double, double>> curves;
  for (const auto& [name, entry] : newest) {
    curves[name] = BandwidthOf(*entry);
    for (const auto& [size, rate] : curves[name]) sizes.insert(size);
  }
  if (sizes.empty()) return "";
  base::TextTable table;
  table.rows.push_back({"message"});
  for (const auto& [name, curve] : curves) table.rows[0].push_back(name);
  table.right.assign(curves.size() + 1, true);
  for (const double size : sizes) {
    if (!Shown(size, *sizes.rbegin())) continue;
    std::vector<std::string> row = {base::HumanBytes({static_cast<uint64_t>(size)})};
    for (const auto& [name, curve] : curves) {
      const auto found = curve.find(size);
      row.push_back(found == curve.end() ? "-" : base::HumanRate({found->second}));
    }
    table.rows.push_back(std::move(row));
  }
  const ledger::Entry& first = *newest.begin()->second;
  return fmt::format("\nBus bandwidth by message size ({}, {} ranks)\n{}", assess::TextAt(first, "library"),
                     assess::NumberAt(first, "ranks").value_or(0), base::FormatTable(table));
}

std::string FormatStorage(const assess::Evidence& evidence) {
  const ledger::Entry* storage = evidence.Latest("bench.storage");
  const base::Json* runs = storage == nullptr ? nullptr : base::Find(storage->body, "runs");
  if (runs == nullptr || !runs->is_array()) return "";
  base::TextTable table;
  table.rows.push_back({"access", "bandwidth", "operations/s", "p50", "p99", "p99.9"});
  table.right = {false, true, true, true, true, true};
  const auto latency = [](const base::Json& run, std::string_view path) {
    return base::HumanDuration(absl::Seconds(NumberIn(run, path)));
  };
  for (const base::Json& run : runs->get_array()) {
    table.rows.push_back(
        {base::GetString(run, "name").value_or("?"), base::HumanRate({NumberIn(run, "bandwidth_bytes_per_second")}),
         fmt::format("{:.0f}", NumberIn(run, "operations_per_second")), latency(run, "latency_seconds.p50"),
         latency(run, "latency_seconds.p99"), latency(run, "latency_seconds.p999")});
  }
  const base::Json* direct = base::Find(storage->body, "direct");
  const bool cached = direct == nullptr || !direct->is_bool() || !direct->get_bool();
  return fmt::format("\nStorage of {} ({} on {}{})\n{}", assess::TextAt(*storage, "path"),
                     assess::TextAt(*storage, "filesystem"), assess::TextAt(*storage, "device"),
                     cached ? ", through the page cache" : ", O_DIRECT", base::FormatTable(table));
}

}  // namespace

std::string FormatMeasurements(const assess::Evidence& evidence, bool colour) {
  return FormatMachine(evidence) + FormatChecks(evidence, colour) + FormatCollectives(evidence) +
         FormatStorage(evidence);
}

}  // namespace ashlar::service
