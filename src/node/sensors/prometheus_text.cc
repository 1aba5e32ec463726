// A sample in Prometheus' text format 0.0.4.
#include <cmath>
#include <iterator>

#include "node/sensors.h"
#include "node/sensors/series_board.h"

namespace ashlar::node {
namespace {

void AppendHead(std::string& text, std::string_view name, std::string_view help, SeriesType type) {
  fmt::format_to(std::back_inserter(text), "# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                 type == SeriesType::kCounter ? "counter" : "gauge");
}

void AppendLine(std::string& text, std::string_view name, std::string_view labels, double value) {
  if (labels.empty()) {
    fmt::format_to(std::back_inserter(text), "{} {}\n", name, value);
  } else {
    fmt::format_to(std::back_inserter(text), "{}{{{}}} {}\n", name, labels, value);
  }
}

// A family of which everything is absent has no head either.
void AppendFamily(std::string& text, const SeriesFamily& family) {
  bool head = false;
  for (const Series& series : family.series) {
    if (!std::isfinite(series.value)) continue;
    if (!head) AppendHead(text, family.name, family.help, family.type);
    head = true;
    AppendLine(text, family.name, series.labels, series.value);
  }
}

}  // namespace

void AppendPrometheus(const Sample& sample, std::string& text) {
  for (const SourceSample& source : sample.sources) {
    for (const SeriesFamily& family : source.families) AppendFamily(text, family);
  }
  constexpr std::string_view kDuration = "node_scrape_collector_duration_seconds";
  constexpr std::string_view kSuccess = "node_scrape_collector_success";
  AppendHead(text, kDuration, "node_exporter: Duration of a collector scrape.", SeriesType::kGauge);
  for (const SourceSample& source : sample.sources) {
    AppendLine(text, kDuration, Label("collector", source.name), absl::ToDoubleSeconds(source.duration));
  }
  AppendHead(text, kSuccess, "node_exporter: Whether a collector succeeded.", SeriesType::kGauge);
  for (const SourceSample& source : sample.sources) {
    AppendLine(text, kSuccess, Label("collector", source.name), source.status.ok() ? 1 : 0);
  }
}

}  // namespace ashlar::node
