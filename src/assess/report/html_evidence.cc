#include "assess/report/html_evidence.h"

#include <array>
#include <map>
#include <vector>

#include "assess/limits.h"
#include "assess/report/markup.h"
#include "assess/report/svg_plot.h"
#include "assess/report/verdict_text.h"

namespace ashlar::assess {
namespace {

std::string RateText(double rate) { return base::HumanRate({rate}); }
std::string SizeText(double size) { return base::HumanBytes({static_cast<uint64_t>(size)}); }
std::string SecondsText(double seconds) { return base::HumanDuration(absl::Seconds(seconds)); }

double NumberIn(const base::Json& json, std::string_view path) {
  const base::Json* value = base::FindPath(json, path);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::string_view CssClass(base::Verdict verdict) {
  return verdict == base::Verdict::kNotApplicable ? "na" : base::VerdictName(verdict);
}

// The newest entry of each collective, by name.
std::map<std::string, const ledger::Entry*> NewestCollectives(const Evidence& evidence) {
  std::map<std::string, const ledger::Entry*> newest;
  for (const ledger::Entry* entry : evidence.All("bench.coll")) newest[TextAt(*entry, "collective")] = entry;
  return newest;
}

PlotSeries SeriesOf(const std::string& name, const ledger::Entry& entry) {
  PlotSeries series{name, {}};
  const base::Json* rows = base::Find(entry.body, "rows");
  if (rows == nullptr || !rows->is_array()) return series;
  for (const base::Json& row : rows->get_array()) {
    PlotPoint point;
    point.x = NumberIn(row, "size_bytes");
    point.y = NumberIn(row, "out_of_place.busbw_bytes_per_second");
    // Bandwidth goes as 1 / time: the interval of the time turns round.
    const double time = NumberIn(row, "out_of_place.time_seconds");
    const double low = NumberIn(row, "out_of_place.p95_seconds");
    const double high = NumberIn(row, "out_of_place.min_seconds");
    if (low > 0) point.low = point.y * time / low;
    if (high > 0) point.high = point.y * time / high;
    series.points.push_back(point);
  }
  return series;
}

// Time of the smallest message that holds anything: sizes are rounded down for each rank, to nothing at the low end.
double SmallestMessageSeconds(const base::Json* rows) {
  if (rows == nullptr || !rows->is_array()) return 0;
  for (const base::Json& row : rows->get_array()) {
    if (NumberIn(row, "size_bytes") > 0) return NumberIn(row, "out_of_place.time_seconds");
  }
  return 0;
}

// What the plot shows, as numbers: where each collective is best and how long its smallest message takes.
std::string CollectiveTable(const std::map<std::string, const ledger::Entry*>& newest) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>collective</th><th>backend</th><th class=\"number\">ranks</th>"
      "<th class=\"number\">smallest message</th><th class=\"number\">peak bus bandwidth</th>"
      "<th class=\"number\">wrong</th><th>entry</th></tr></thead><tbody>\n";
  for (const auto& [name, entry] : newest) {
    const PlotSeries series = SeriesOf(name, *entry);
    double peak = 0;
    for (const PlotPoint& point : series.points) peak = std::max(peak, point.y);
    const base::Json* rows = base::Find(entry->body, "rows");
    const double latency = SmallestMessageSeconds(rows);
    const auto wrong = NumberAt(*entry, "out_of_bounds");
    out += fmt::format(
        "<tr><td>{}</td><td>{} <span class=\"soft\">{}</span></td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
        EscapeMarkup(name), EscapeMarkup(TextAt(*entry, "backend")), EscapeMarkup(TextAt(*entry, "library")),
        NumberAt(*entry, "ranks").value_or(0), latency > 0 ? SecondsText(latency) : "unknown",
        peak > 0 ? RateText(peak) : "unknown", wrong ? fmt::format("{}", *wrong) : "not checked", entry->sequence);
  }
  return out + "</tbody></table></div>\n";
}

std::string StorageTable(const base::JsonArray& runs) {
  double most = 0;
  for (const base::Json& run : runs) most = std::max(most, NumberIn(run, "bandwidth_bytes_per_second"));
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>access</th><th class=\"number\">bandwidth</th><th></th>"
      "<th class=\"number\">operations/s</th><th class=\"number\">p50</th><th class=\"number\">p99</th>"
      "<th class=\"number\">p99.9</th></tr></thead><tbody>\n";
  for (const base::Json& run : runs) {
    const double bandwidth = NumberIn(run, "bandwidth_bytes_per_second");
    out += fmt::format(
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"wide\"><div class=\"bar\"><i class=\"na\" "
        "style=\"width:{:.1f}%\"></i></div></td><td class=\"number\">{:.0f}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        EscapeMarkup(base::GetString(run, "name").value_or("?")), RateText(bandwidth),
        most > 0 ? bandwidth / most * 100 : 0, NumberIn(run, "operations_per_second"),
        SecondsText(NumberIn(run, "latency_seconds.p50")), SecondsText(NumberIn(run, "latency_seconds.p99")),
        SecondsText(NumberIn(run, "latency_seconds.p999")));
  }
  return out + "</tbody></table></div>\n";
}

std::string LatencyPlot(const base::JsonArray& runs, const ledger::Entry& entry) {
  RangePlot plot{.title = "Latency of one operation",
                 .description = "Percentiles of each kind of access on a logarithmic axis; lower is better",
                 .value_names = {"p50", "p95", "p99", "p99.9"},
                 .text = SecondsText,
                 .rows = {}};
  const auto add = [&plot](const std::string& name, const base::Json& of) {
    RangeRow row{name, {}};
    for (const char* path :
         {"latency_seconds.p50", "latency_seconds.p95", "latency_seconds.p99", "latency_seconds.p999"}) {
      row.values.push_back(NumberIn(of, path));
    }
    plot.rows.push_back(std::move(row));
  };
  for (const base::Json& run : runs) add(base::GetString(run, "name").value_or("?"), run);
  if (const base::Json* sync = base::Find(entry.body, "fsync")) add("4 KiB append and fdatasync", *sync);
  const std::string svg = DrawRanges(plot);
  if (svg.empty()) return "";
  return fmt::format(
      "<figure><div class=\"plot\">{}</div><figcaption>Median to 99.9th percentile; further left is "
      "faster.</figcaption></figure>\n",
      svg);
}

std::string CheckRows(const std::vector<base::Finding>& findings) {
  std::string out;
  for (const base::Finding& finding : findings) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"wide soft\">{}</td></tr>\n",
                       VerdictSpan(finding.verdict), EscapeMarkup(finding.id),
                       EscapeMarkup(ValueText(finding.value, finding.unit)), EscapeMarkup(finding.expectation),
                       EscapeMarkup(finding.reason.empty() ? finding.read_from : finding.reason));
  }
  return out;
}

void AddFact(std::string_view name, const std::string& value, std::string& out) {
  if (!value.empty())
    out += fmt::format("<li><span class=\"soft\">{}</span> <b>{}</b></li>", name, EscapeMarkup(value));
}

}  // namespace

std::string VerdictSpan(base::Verdict verdict) {
  const VerdictText text = TextOf(verdict);
  return fmt::format("<span class=\"verdict {}\">{} {}</span>", CssClass(verdict), text.symbol, text.word);
}

std::string ValueText(const base::Json& value, const std::string& unit) {
  if (value.is_null()) return "–";
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  if (value.is_number()) {
    const double number = value.to_number<double>();
    if (unit == "bytes" && number >= 0) return SizeText(number);
    if (unit == "bytes/s") return RateText(number);
    return fmt::format("{:.6g}{}{}", number, unit.empty() ? "" : " ", unit);
  }
  if (const base::JsonObject* object = value.if_object()) {
    std::string out;
    for (const auto& member : *object) {
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", std::string_view(member.key()),
                         ValueText(member.value(), unit));
    }
    return out;
  }
  std::string out;
  for (const base::Json& element : value.get_array()) out += (out.empty() ? "" : ", ") + ValueText(element, unit);
  return out.empty() ? "none" : out;
}

std::string MachineFacts(const Evidence& evidence) {
  const ledger::Entry* identity = evidence.Latest("node.identity");
  if (identity == nullptr) return "";
  std::string facts;
  AddFact("processor", TextAt(*identity, "cpu.model"), facts);
  if (const auto threads = NumberAt(*identity, "cpu.threads")) AddFact("threads", fmt::format("{}", *threads), facts);
  if (const auto memory = NumberAt(*identity, "memory_total_bytes")) AddFact("memory", SizeText(*memory), facts);
  AddFact("system", TextAt(*identity, "os.name"), facts);
  AddFact("kernel", TextAt(*identity, "kernel"), facts);
  AddFact("machine", TextAt(*identity, "azure.size"), facts);
  AddFact("runs on", TextAt(*identity, "virtualisation.kind"), facts);
  const base::Json* gpus = base::FindPath(identity->body, "fingerprint.gpus");
  if (gpus != nullptr && gpus->is_array()) AddFact("GPUs", ValueText(*gpus, ""), facts);
  return "<ul class=\"facts\">" + facts + "</ul>\n";
}

std::string BandwidthSection(const Evidence& evidence) {
  const auto newest = NewestCollectives(evidence);
  if (newest.empty()) return "";
  CurvePlot plot{.title = "Bus bandwidth by message size",
                 .description = "Out-of-place bus bandwidth of each collective, logarithmic axes; higher is better",
                 .x_label = "message size",
                 .y_label = "bus bandwidth",
                 .x_text = SizeText,
                 .y_text = RateText,
                 .series = {}};
  for (const auto& [name, entry] : newest) plot.series.push_back(SeriesOf(name, *entry));
  const std::string svg = DrawCurves(plot);
  std::string out = "<h2 id=\"collectives\">Collectives</h2>\n";
  if (!svg.empty()) {
    out += fmt::format(
        "<figure><div class=\"plot\">{}</div><figcaption>Median of each size; the band spans the fastest "
        "iteration to the 95th percentile.</figcaption></figure>\n",
        svg);
  }
  return out + CollectiveTable(newest);
}

std::string StorageSection(const Evidence& evidence) {
  const ledger::Entry* storage = evidence.Latest("bench.storage");
  if (storage == nullptr) return "";
  const base::Json* runs = base::Find(storage->body, "runs");
  if (runs == nullptr || !runs->is_array()) return "";
  const base::Json* direct = base::Find(storage->body, "direct");
  const bool cached = direct == nullptr || !direct->is_bool() || !direct->get_bool();
  std::string out = fmt::format("<h2 id=\"storage\">Storage</h2>\n<p class=\"soft\">{} on {} ({}), {}, entry {}</p>\n",
                                EscapeMarkup(TextAt(*storage, "filesystem")), EscapeMarkup(TextAt(*storage, "device")),
                                EscapeMarkup(TextAt(*storage, "path")),
                                cached ? EscapeMarkup("through the page cache: " + TextAt(*storage, "direct_reason"))
                                       : "past the page cache (O_DIRECT)",
                                storage->sequence);
  return out + StorageTable(runs->get_array()) + LatencyPlot(runs->get_array(), *storage);
}

std::string CheckSection(const Evidence& evidence) {
  const auto checks = evidence.LatestOfEach("node.check");
  if (checks.empty()) return "";
  std::string out = "<h2 id=\"checks\">Health checks</h2>\n";
  for (const ledger::Entry* check : checks) {
    const auto findings = FindingsOf(*check);
    if (!findings.ok()) continue;
    if (checks.size() > 1) out += fmt::format("<h3>{}</h3>\n", EscapeMarkup(check->subject));
    out +=
        "<div class=\"scroll\"><table><thead><tr><th>verdict</th><th>check</th><th>value</th><th>expected</th>"
        "<th>reason, or where it was read</th></tr></thead><tbody>\n" +
        CheckRows(*findings) + "</tbody></table></div>\n";
  }
  return out;
}

}  // namespace ashlar::assess
