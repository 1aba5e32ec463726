#include "assess/report/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::assess {
namespace {

std::string Text(double value) { return fmt::format("{:g}", value); }

CurvePlot Plot(std::vector<PlotPoint> points) {
  return {.title = "Bandwidth",
          .description = "d",
          .x_label = "size",
          .y_label = "GB/s",
          .x_text = Text,
          .y_text = Text,
          .series = {{"all_reduce", std::move(points)}}};
}

TEST(SvgPlotTest, TicksAreRoundNumbersWithinTheRange) {
  EXPECT_EQ(DecimalTicks(1, 10, 8), (std::vector<double>{1, 2, 5, 10}));
  EXPECT_EQ(DecimalTicks(3, 30, 8), (std::vector<double>{5, 10, 20}));
  EXPECT_EQ(DecimalTicks(1, 10000, 8), (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_EQ(BinaryTicks(8, 64, 9), (std::vector<double>{8, 16, 32, 64}));
  EXPECT_EQ(BinaryTicks(8, 64, 2), (std::vector<double>{8, 32}));
  EXPECT_EQ(BinaryTicks(9, 15, 9), std::vector<double>{});
}

TEST(SvgPlotTest, NothingToDrawGivesNothing) {
  EXPECT_EQ(DrawCurves(Plot({})), "");
  EXPECT_EQ(DrawCurves(Plot({{0, 1}, {-1, 2}, {NAN, 2}, {4, INFINITY}, {4, 0}})), "");
  EXPECT_EQ(DrawRanges({.title = "t", .value_names = {"p50"}, .text = Text, .rows = {{"a", {0, -1, NAN}}}}), "");
}

// y is logarithmic from top 48 to bottom 356 (430 - 74): equal values are widened to a decade, so one lies halfway.
TEST(SvgPlotTest, SinglePointLiesInTheMiddle) {
  const std::string svg = DrawCurves(Plot({{16, 5}}));
  EXPECT_NE(svg.find("cy=\"202.0\""), std::string::npos) << svg;
}

TEST(SvgPlotTest, EveryCoordinateIsFinite) {
  const std::string svg = DrawCurves(Plot({{8, 1e-9, 1e-10, 1e-8}, {1e12, 1e12, 1e11, 1e13}, {NAN, NAN, NAN, NAN}}));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("class=\"band\""), std::string::npos);
}

TEST(SvgPlotTest, TextIsEscaped) {
  CurvePlot plot = Plot({{8, 1}, {16, 2}});
  plot.title = "<script>";
  plot.series[0].name = "\"><script>alert(1)</script>";
  EXPECT_EQ(DrawCurves(plot).find("<script"), std::string::npos);
}

TEST(SvgPlotTest, MoreSeriesThanCanBeToldApartAreLeftOut) {
  CurvePlot plot = Plot({{8, 1}, {16, 2}});
  plot.series.assign(7, plot.series.front());
  const std::string svg = DrawCurves(plot);
  EXPECT_NE(svg.find("class=\"s5\""), std::string::npos);
  EXPECT_EQ(svg.find("class=\"s6\""), std::string::npos);
}

TEST(SvgPlotTest, RangesMarkEachValueWithItsName) {
  const std::string svg = DrawRanges({.title = "Latency",
                                      .description = "d",
                                      .value_names = {"p50", "p99"},
                                      .text = Text,
                                      .rows = {{"random read", {1, 10}}, {"random write", {2, 30}}}});
  EXPECT_NE(svg.find("<title>random read, p50: 1</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>random write, p99: 30</title>"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::assess
