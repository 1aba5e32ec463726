#include "bench/coll/table.h"

#include <cmath>

namespace ashlar::bench {
namespace {

using base::Json;

constexpr double kBytesInGigabyte = 1e9;
constexpr double kMicrosecondsInSecond = 1e6;
constexpr int kTimeWidth = 7;
constexpr int kBandwidthWidth = 6;

double Number(const Json& object, std::string_view path) {
  const Json* value = base::FindPath(object, path);
  return value != nullptr && value->is_number() ? value->to_number<double>() : std::nan("");
}

int64_t Whole(const Json& object, std::string_view path) {
  const Json* value = base::FindPath(object, path);
  return value != nullptr && value->is_int64()    ? value->get_int64()
         : value != nullptr && value->is_uint64() ? static_cast<int64_t>(value->get_uint64())
                                                  : 0;
}

std::string Text(const Json& object, std::string_view path) {
  const Json* value = base::FindPath(object, path);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::string PlacementCells(const Json* placement) {
  if (placement == nullptr || !placement->is_object()) {
    return fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", "N/A", "N/A", "N/A", "N/A");
  }
  const Json* wrong = base::Find(*placement, "wrong");
  const std::string wrong_text =
      wrong != nullptr && wrong->is_number() ? fmt::format("{:g}", wrong->to_number<double>()) : "N/A";
  return fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}",
                     FieldNumber(Number(*placement, "time_seconds") * kMicrosecondsInSecond, kTimeWidth),
                     FieldNumber(Number(*placement, "algbw_bytes_per_second") / kBytesInGigabyte, kBandwidthWidth),
                     FieldNumber(Number(*placement, "busbw_bytes_per_second") / kBytesInGigabyte, kBandwidthWidth),
                     wrong_text);
}

// "12500 (0.4 %)", with ! when the interval was not reached.
std::string PrecisionCell(const Json* placement) {
  if (placement == nullptr || !placement->is_object()) return "N/A";
  const double half = (Number(*placement, "ci95_high_seconds") - Number(*placement, "ci95_low_seconds")) / 2;
  const double relative = 100 * half / Number(*placement, "time_seconds");
  const Json* converged = base::Find(*placement, "converged");
  const bool short_of = converged != nullptr && converged->is_bool() && !converged->get_bool();
  const std::string interval = std::isfinite(relative) ? fmt::format("{:.1f} %", relative) : "unknown";
  return fmt::format("{} ({}){}", Whole(*placement, "iterations"), interval, short_of ? " !" : "");
}

// What the adaptive mode took, size by size.
std::string PrecisionLines(const Json& document) {
  const Json* rows = base::Find(document, "rows");
  if (Text(document, "mode") != "adaptive" || rows == nullptr || !rows->is_array()) return "";
  const double wanted = 100 * Number(document, "options.interval");
  std::string text = fmt::format(
      "# Adaptive: iterations taken, and half the 95 % interval of the median over it "
      "(wanted {:g} %; ! not reached)\n",
      wanted);
  text += fmt::format("# {:>10}  {:>22}  {:>22}\n", "size", "out-of-place", "in-place");
  for (const Json& row : rows->get_array()) {
    text += fmt::format("# {:>10}  {:>22}  {:>22}\n", Whole(row, "size_bytes"),
                        PrecisionCell(base::Find(row, "out_of_place")), PrecisionCell(base::Find(row, "in_place")));
  }
  return text;
}

}  // namespace

std::string FieldNumber(double value, int width) {
  if (!std::isfinite(value)) return "N/A";
  int power = 0;
  for (double bound = 1; value >= bound && power <= 20; bound *= 10) ++power;
  if (power < width - 2) return fmt::format("{:.2f}", value);
  if (power < width - 1) return fmt::format("{:.1f}", value);
  if (power < width + 1) return fmt::format("{:.0f}", value);
  return width >= kTimeWidth ? fmt::format("{:.1e}", value) : fmt::format("{:.0e}", value);
}

std::string TableHeader(const Json& document) {
  std::string text =
      fmt::format("# ashlar bench coll, backend {} ({})\n", Text(document, "backend"), Text(document, "library"));
  text += fmt::format("# Collective test starting: {}\n", Text(document, "collective"));
  // Parsers read numbers here: adaptive runs say 0 and explain on a line of their own.
  text += fmt::format(
      "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: {} warmup iters: {} iters: {} agg iters: {} "
      "validation: {} graph: 0 unalign: 0\n",
      Whole(document, "options.minimum_bytes"), Whole(document, "options.maximum_bytes"),
      Text(document, "options.step"), Whole(document, "options.warmup_iterations"),
      Whole(document, "options.iterations"), Whole(document, "options.aggregate"),
      Whole(document, "options.check_iterations"));
  if (Text(document, "mode") == "adaptive") text += "# Adaptive: as many iterations as the median needs\n";
  const Json* notes = base::Find(document, "notes");
  if (notes != nullptr && notes->is_array()) {
    for (const Json& note : notes->get_array()) {
      if (note.is_string()) text += "# Note: " + std::string(note.get_string()) + "\n";
    }
  }
  text += "#\n# Using devices\n";
  const Json* places = base::Find(document, "places");
  if (places != nullptr && places->is_array()) {
    for (const Json& place : places->get_array()) {
      text += fmt::format("#  Rank {:2} Group  0 Pid {:6} on {:>10} device  0 [0000:00:00] CPU\n", Whole(place, "rank"),
                          Whole(place, "pid"), Text(place, "host"));
    }
  }
  text += fmt::format(
      "#\n# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}           out-of-place                       "
      "in-place          \n",
      "", "", "", "", "");
  text += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}\n",
                      "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "time", "algbw",
                      "busbw", "#wrong");
  text += fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}\n",
                      "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "(GB/s)", "(GB/s)", "");
  return text;
}

std::string TableRow(const Json& row) {
  return fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}{}{}\n", Whole(row, "size_bytes"), Whole(row, "count"),
                     Text(row, "type"), Text(row, "redop"), Whole(row, "root"),
                     PlacementCells(base::Find(row, "out_of_place")), PlacementCells(base::Find(row, "in_place")));
}

std::string TableFooter(const Json& document) {
  const int64_t wrong = Whole(document, "out_of_bounds");
  std::string text = fmt::format("# {:<20} : {} {}\n", "Out of bounds values", wrong, wrong == 0 ? "OK" : "FAILED");
  text += fmt::format("# {:<20} : {:g}\n", "Avg bus bandwidth",
                      Number(document, "average_busbw_bytes_per_second") / kBytesInGigabyte);
  text += fmt::format("#\n# Collective test concluded: {}\n", Text(document, "collective"));
  const Json* findings = base::Find(document, "findings");
  if (findings != nullptr && findings->is_array()) {
    for (const Json& finding : findings->get_array()) {
      if (!Text(finding, "reason").empty()) text += "# Note: " + Text(finding, "reason") + "\n";
    }
  }
  return text + PrecisionLines(document) + "#\n";
}

std::string TableText(SessionEvent event, const Json& body) {
  switch (event) {
    case SessionEvent::kHeader: return TableHeader(body);
    case SessionEvent::kRow: return TableRow(body);
    case SessionEvent::kDocument: return TableFooter(body);
  }
  return "";
}

}  // namespace ashlar::bench
