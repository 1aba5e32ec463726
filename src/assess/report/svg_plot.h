// Small plots as inline SVG: curves with a spread band on logarithmic axes, and ranges of percentiles.
//
// Colours come from the page's style sheet (classes s1 to s5), so that light and dark are its business; series differ
// in dashes and marks as well. Titles and descriptions make the plot readable without seeing it. Pure functions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ashlar::assess {

struct PlotPoint {
  double x = 0;    // > 0
  double y = 0;    // > 0
  double low = 0;  // of the spread at x; 0 when there is none
  double high = 0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;  // ascending x
};

struct CurvePlot {
  std::string title;
  std::string description;
  std::string x_label;
  std::string y_label;
  std::function<std::string(double)> x_text;  // the label of a tick, and the value in tool tips
  std::function<std::string(double)> y_text;
  std::vector<PlotSeries> series;  // at most kMaxSeries are drawn
};

// Both axes logarithmic: x with ticks at powers of 2, y at 1, 2 and 5 times powers of 10. Points that are not positive
// and finite are left out; "" when nothing is left.
std::string DrawCurves(const CurvePlot& plot);

struct RangeRow {
  std::string name;
  std::vector<double> values;  // ascending: p50, p95, p99, p99.9
};

struct RangePlot {
  std::string title;
  std::string description;
  std::vector<std::string> value_names;  // one for each value of a row
  std::function<std::string(double)> text;
  std::vector<RangeRow> rows;
};

// One line a row on a logarithmic axis, a mark for each value; "" when no row has a positive value.
std::string DrawRanges(const RangePlot& plot);

// 1, 2 and 5 times powers of ten within [low, high], thinned to at most `most`; for 0 < low < high.
std::vector<double> DecimalTicks(double low, double high, size_t most);
// Powers of two within [low, high], thinned to at most `most`.
std::vector<double> BinaryTicks(double low, double high, size_t most);

}  // namespace ashlar::assess
