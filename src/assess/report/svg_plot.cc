#include "assess/report/svg_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "assess/limits.h"
#include "assess/report/markup.h"

namespace ashlar::assess {
namespace {

constexpr double kWidth = 860;
constexpr double kLeft = 92;
constexpr double kRight = 18;
constexpr double kTop = 34;
constexpr std::array<const char*, kMaxSeries> kDashes = {"", "7 3", "2 3", "9 3 2 3", "4 2"};

// Maps values of a logarithmic axis to places on the page.
struct LogAxis {
  double low = 1;
  double high = 10;
  double from = 0;  // place of `low`
  double to = 1;    // place of `high`

  double Place(double value) const { return from + (to - from) * std::log(value / low) / std::log(high / low); }
};

bool Drawable(double value) { return std::isfinite(value) && value > 0; }

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void Add(double value) {
    if (!Drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool Empty() const { return high == 0; }
  // An axis needs a length: a single value gets a decade around it.
  void Widen(double factor) {
    if (high / low < factor) {
      low /= std::sqrt(factor);
      high *= std::sqrt(factor);
    }
  }
};

std::vector<double> Thin(std::vector<double> ticks, size_t most) {
  if (ticks.size() <= most || most == 0) return ticks;
  const size_t step = (ticks.size() + most - 1) / most;
  std::vector<double> kept;
  for (size_t i = 0; i < ticks.size(); i += step) kept.push_back(ticks[i]);
  return kept;
}

std::string Begin(double height, const std::string& title, const std::string& description) {
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\"><title>{}</title><desc>{}</desc>"
      "<text class=\"title\" x=\"0\" y=\"16\">{}</text>\n",
      kWidth, height, EscapeMarkup(title), EscapeMarkup(description), EscapeMarkup(title));
}

// The mark of a series at a place: circle, square, triangle, diamond, cross.
std::string Mark(size_t series, double x, double y, const std::string& tip) {
  const std::string title = tip.empty() ? "" : fmt::format("<title>{}</title>", EscapeMarkup(tip));
  switch (series % kMaxSeries) {
    case 0: return fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\">{}</circle>", x, y, title);
    case 1:
      return fmt::format("<rect class=\"mark\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"6\" height=\"6\">{}</rect>", x - 3,
                         y - 3, title);
    case 2: return fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}l4 7h-8z\">{}</path>", x, y - 4.2, title);
    case 3: return fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}l4 4-4 4-4-4z\">{}</path>", x, y - 4, title);
    default:
      return fmt::format(
          "<path class=\"mark\" d=\"M{:.1f} {:.1f}h2.4v2.6h2.6v2.4h-2.6v2.6h-2.4v-2.6h-2.6v-2.4h2.6z\">{}</path>",
          x - 1.2, y - 3.8, title);
  }
}

std::string Grid(const CurvePlot& plot, const LogAxis& x, const LogAxis& y) {
  std::string out;
  for (const double tick : BinaryTicks(x.low, x.high, 9)) {
    const double place = x.Place(tick);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        place, y.from, y.to, y.from + 18, EscapeMarkup(plot.x_text(tick)));
  }
  for (const double tick : DecimalTicks(y.low, y.high, 8)) {
    const double place = y.Place(tick);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        x.from, x.to, place, x.from - 8, place + 4, EscapeMarkup(plot.y_text(tick)));
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (x.from + x.to) / 2,
                     y.from + 38, EscapeMarkup(plot.x_label));
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x.to, y.to - 12,
                     EscapeMarkup(plot.y_label));
  return out;
}

std::string Curve(const CurvePlot& plot, size_t index, const LogAxis& x, const LogAxis& y) {
  std::string upper;
  std::string lower;
  std::string curve;
  std::string marks;
  const PlotSeries& series = plot.series[index];
  for (const PlotPoint& point : series.points) {
    if (!Drawable(point.x) || !Drawable(point.y)) continue;
    const double at = x.Place(point.x);
    curve += fmt::format("{}{:.1f} {:.1f}", curve.empty() ? "M" : "L", at, y.Place(point.y));
    if (Drawable(point.low) && Drawable(point.high)) {
      upper += fmt::format("{}{:.1f} {:.1f}", upper.empty() ? "M" : "L", at, y.Place(point.high));
      lower = fmt::format("L{:.1f} {:.1f}", at, y.Place(point.low)) + lower;
    }
    marks += Mark(index, at, y.Place(point.y),
                  fmt::format("{}, {}: {}", series.name, plot.x_text(point.x), plot.y_text(point.y)));
  }
  std::string out = fmt::format("<g class=\"s{}\">", index + 1);
  if (!upper.empty()) out += fmt::format("<path class=\"band\" d=\"{}{}Z\"/>", upper, lower);
  return out + fmt::format("<path class=\"curve\" stroke-dasharray=\"{}\" d=\"{}\"/>{}</g>\n", kDashes.at(index), curve,
                           marks);
}

std::string Legend(const CurvePlot& plot, size_t drawn, double y) {
  std::string out;
  double x = kLeft;
  for (size_t i = 0; i < drawn; ++i) {
    out += fmt::format(
        "<g class=\"s{}\"><path class=\"curve\" stroke-dasharray=\"{}\" d=\"M{:.1f} {:.1f}h26\"/>{}"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        i + 1, kDashes.at(i), x, y, Mark(i, x + 13, y, ""), x + 32, y + 4, EscapeMarkup(plot.series[i].name));
    x += 52 + 8.2 * static_cast<double>(plot.series[i].name.size());
  }
  return out;
}

}  // namespace

std::vector<double> DecimalTicks(double low, double high, size_t most) {
  std::vector<double> ticks;
  std::vector<double> decades;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double tick = decade * step;
      if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9)) continue;
      ticks.push_back(tick);
      if (step == 1.0) decades.push_back(tick);
    }
  }
  return ticks.size() <= most || decades.size() < 2 ? Thin(ticks, most) : Thin(decades, most);
}

std::vector<double> BinaryTicks(double low, double high, size_t most) {
  std::vector<double> ticks;
  for (double tick = std::exp2(std::ceil(std::log2(low) - 1e-9)); tick <= high * (1 + 1e-9); tick *= 2) {
    ticks.push_back(tick);
  }
  return Thin(ticks, most);
}

std::string DrawCurves(const CurvePlot& plot) {
  constexpr double kHeight = 430;
  Extent horizontal;
  Extent vertical;
  const size_t drawn = std::min(plot.series.size(), kMaxSeries);
  for (size_t i = 0; i < drawn; ++i) {
    for (const PlotPoint& point : plot.series[i].points) {
      if (!Drawable(point.x) || !Drawable(point.y)) continue;
      horizontal.Add(point.x);
      for (const double y : {point.y, point.low, point.high}) vertical.Add(y);
    }
  }
  if (horizontal.Empty() || vertical.Empty()) return "";
  horizontal.Widen(4);
  vertical.Widen(10);
  const LogAxis x{horizontal.low, horizontal.high, kLeft, kWidth - kRight};
  const LogAxis y{vertical.low, vertical.high, kHeight - 74, kTop + 14};
  std::string out = Begin(kHeight, plot.title, plot.description) + Grid(plot, x, y);
  for (size_t i = 0; i < drawn; ++i) out += Curve(plot, i, x, y);
  return out + Legend(plot, drawn, kHeight - 10) + "</svg>";
}

std::string DrawRanges(const RangePlot& plot) {
  constexpr double kRowHeight = 26;
  constexpr double kNames = 270;
  Extent extent;
  for (const RangeRow& row : plot.rows) {
    for (const double value : row.values) extent.Add(value);
  }
  if (extent.Empty()) return "";
  extent.Widen(10);
  const double bottom = kTop + 12 + kRowHeight * static_cast<double>(plot.rows.size());
  const LogAxis axis{extent.low, extent.high, kNames, kWidth - 40};
  std::string out = Begin(bottom + 52, plot.title, plot.description);
  for (const double tick : DecimalTicks(axis.low, axis.high, 8)) {
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        axis.Place(tick), kTop, bottom, bottom + 18, EscapeMarkup(plot.text(tick)));
  }
  for (size_t i = 0; i < plot.rows.size(); ++i) {
    const RangeRow& row = plot.rows[i];
    const double y = kTop + 22 + kRowHeight * static_cast<double>(i);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kNames - 14, y + 4,
                       EscapeMarkup(row.name));
    Extent span;
    for (const double value : row.values) span.Add(value);
    if (span.Empty()) continue;
    out += fmt::format(
        "<g class=\"s1\"><line class=\"span\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/></g>",
        axis.Place(span.low), axis.Place(span.high), y, y);
    for (size_t k = 0; k < std::min(row.values.size(), plot.value_names.size()); ++k) {
      if (!Drawable(row.values[k])) continue;
      out += fmt::format("<g class=\"s{}\">{}</g>\n", k % kMaxSeries + 1,
                         Mark(k, axis.Place(row.values[k]), y,
                              fmt::format("{}, {}: {}", row.name, plot.value_names[k], plot.text(row.values[k]))));
    }
  }
  double x = kNames;
  for (size_t k = 0; k < plot.value_names.size(); ++k) {
    out += fmt::format("<g class=\"s{}\">{}<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", k % kMaxSeries + 1,
                       Mark(k, x, bottom + 40, ""), x + 10, bottom + 44, EscapeMarkup(plot.value_names[k]));
    x += 90;
  }
  return out + "</svg>";
}

}  // namespace ashlar::assess
