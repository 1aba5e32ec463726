#include "node/sensors/series_board.h"

namespace ashlar::node {

size_t SeriesBoard::AddFamily(SourceSample& sample, const FamilyPlan& plan) {
  sample.families.push_back({std::string(plan.name), std::string(plan.help), plan.type, {}});
  families_.push_back({plan.scale, plan.kind, {}});
  return families_.size() - 1;
}

size_t SeriesBoard::AddSeries(SourceSample& sample, size_t family, std::string labels) {
  sample.families[family].series.push_back({std::move(labels), kAbsent, kAbsent});
  families_[family].counters.emplace_back();
  return families_[family].counters.size() - 1;
}

size_t SeriesBoard::AddToAll(SourceSample& sample, const std::string& labels) {
  size_t series = 0;
  for (size_t family = 0; family < families_.size(); ++family) series = AddSeries(sample, family, labels);
  return series;
}

void SeriesBoard::Begin(SourceSample& sample, absl::Duration now) {
  now_ = now;
  for (SeriesFamily& family : sample.families) {
    for (Series& series : family.series) {
      series.value = kAbsent;
      series.rate = kAbsent;
    }
  }
}

void SeriesBoard::SetGauge(SourceSample& sample, size_t family, size_t series, double raw) const {
  sample.families[family].series[series].value = raw * families_[family].scale;
}

void SeriesBoard::SetCounter(SourceSample& sample, size_t family, size_t series, uint64_t raw) {
  Series& out = sample.families[family].series[series];
  const Family& plan = families_[family];
  Counter& counter = families_[family].counters[series];
  const auto delta = counter.known ? CounterDelta(counter.raw, raw, plan.kind) : std::nullopt;
  const absl::Duration elapsed = now_ - counter.at;
  if (delta && elapsed > absl::ZeroDuration()) {
    out.rate = static_cast<double>(*delta) * plan.scale / absl::ToDoubleSeconds(elapsed);
  }
  // A counter that lost a little keeps what it had, so that the exposed one never falls without a reset.
  const bool stepped_back = plan.kind == CounterKind::kStepsBack && delta && raw < counter.raw;
  if (!stepped_back) counter.raw = raw;
  counter.at = now_;
  counter.known = true;
  out.value = static_cast<double>(counter.raw) * plan.scale;
}

std::string Label(std::string_view name, std::string_view value) {
  std::string text = fmt::format("{}=\"", name);
  for (const char character : value) {
    if (character == '\\' || character == '"') text.push_back('\\');
    if (character == '\n') {
      text += "\\n";
    } else {
      text.push_back(character);
    }
  }
  text.push_back('"');
  return text;
}

}  // namespace ashlar::node
