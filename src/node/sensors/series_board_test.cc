#include "node/sensors/series_board.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::node {
namespace {

constexpr absl::Duration kStart = absl::Seconds(100);

// A board with one counter in units of 0.5 and one gauge, one series each.
struct Fixture {
  Fixture() {
    board.AddFamily(sample, {"a_total", "A.", SeriesType::kCounter, 0.5});
    board.AddFamily(sample, {"b", "B.", SeriesType::kGauge, 2});
    board.AddToAll(sample, "x=\"1\"");
  }
  const Series& counter() const { return sample.families[0].series[0]; }
  const Series& gauge() const { return sample.families[1].series[0]; }

  SeriesBoard board;
  SourceSample sample;
};

TEST(SeriesBoardTest, ARateNeedsTwoSamples) {
  Fixture fixture;
  fixture.board.Begin(fixture.sample, kStart);
  fixture.board.SetCounter(fixture.sample, 0, 0, 100);
  EXPECT_EQ(fixture.counter().value, 50);
  EXPECT_TRUE(std::isnan(fixture.counter().rate));
  fixture.board.Begin(fixture.sample, kStart + absl::Seconds(2));
  fixture.board.SetCounter(fixture.sample, 0, 0, 108);
  EXPECT_EQ(fixture.counter().value, 54);
  EXPECT_EQ(fixture.counter().rate, 2) << "8 units of 0.5 in 2 s";
}

TEST(SeriesBoardTest, WhatIsNotWrittenIsAbsent) {
  Fixture fixture;
  fixture.board.Begin(fixture.sample, kStart);
  fixture.board.SetGauge(fixture.sample, 1, 0, 3);
  EXPECT_EQ(fixture.gauge().value, 6);
  fixture.board.Begin(fixture.sample, kStart + absl::Seconds(1));
  EXPECT_TRUE(std::isnan(fixture.gauge().value));
  EXPECT_TRUE(std::isnan(fixture.counter().value));
}

TEST(SeriesBoardTest, ARateOverAGapIsTheAverage) {
  Fixture fixture;
  fixture.board.Begin(fixture.sample, kStart);
  fixture.board.SetCounter(fixture.sample, 0, 0, 0);
  fixture.board.Begin(fixture.sample, kStart + absl::Seconds(1));
  fixture.board.Begin(fixture.sample, kStart + absl::Seconds(4));
  fixture.board.SetCounter(fixture.sample, 0, 0, 8);
  EXPECT_EQ(fixture.counter().rate, 1) << "8 units of 0.5 in 4 s";
}

TEST(SeriesBoardTest, AResetHasNoRateAndTheNextSampleHas) {
  Fixture fixture;
  uint64_t raw[] = {1000, 10, 20};
  double rates[3];
  for (size_t at = 0; at < 3; ++at) {
    fixture.board.Begin(fixture.sample, kStart + absl::Seconds(at));
    fixture.board.SetCounter(fixture.sample, 0, 0, raw[at]);
    rates[at] = fixture.counter().rate;
  }
  EXPECT_TRUE(std::isnan(rates[1]));
  EXPECT_EQ(rates[2], 5);
}

TEST(SeriesBoardTest, TimeThatStandsStillHasNoRate) {
  Fixture fixture;
  for (int sample = 0; sample < 2; ++sample) {
    fixture.board.Begin(fixture.sample, kStart);
    fixture.board.SetCounter(fixture.sample, 0, 0, 5);
  }
  EXPECT_TRUE(std::isnan(fixture.counter().rate));
}

TEST(SeriesBoardTest, ACounterThatStepsBackIsShownAsItWas) {
  SeriesBoard board;
  SourceSample sample;
  board.AddFamily(sample, {"idle_total", "Idle.", SeriesType::kCounter, 1, CounterKind::kStepsBack});
  board.AddSeries(sample, 0, "");
  const uint64_t raw[] = {500, 490, 505};
  const double shown[] = {500, 500, 505};
  for (size_t at = 0; at < 3; ++at) {
    board.Begin(sample, kStart + absl::Seconds(at));
    board.SetCounter(sample, 0, 0, raw[at]);
    EXPECT_EQ(sample.families[0].series[0].value, shown[at]) << at;
  }
  EXPECT_EQ(sample.families[0].series[0].rate, 5) << "505 - 500 in 1 s";
}

TEST(LabelTest, EscapesAsTheFormatWants) {
  // Prometheus text format 0.0.4: backslash, quote and newline are escaped in label values.
  EXPECT_EQ(Label("device", "sda"), "device=\"sda\"");
  EXPECT_EQ(Label("m", "a\\b\"c\nd"), "m=\"a\\\\b\\\"c\\nd\"");
}

}  // namespace
}  // namespace ashlar::node
