#include "stats/culprit/healthy_speed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/culprit/limits.h"

namespace ashlar::stats {
namespace {

std::vector<WeightedSpeed> Draw(int count, double slow_share, double slow, double sigma) {
  std::mt19937_64 random(7);
  std::vector<WeightedSpeed> speeds;
  for (int i = 0; i < count; ++i) {
    const bool is_slow = std::uniform_real_distribution<double>(0, 1)(random) < slow_share;
    speeds.push_back({(is_slow ? slow : 0) + std::normal_distribution<double>(0, sigma)(random)});
  }
  return speeds;
}

TEST(LearnHealthySpeed, TooFewTestsAreAnError) {
  const std::vector<WeightedSpeed> three = {{0}, {0.1}, {0.05}};
  EXPECT_EQ(LearnHealthySpeed(three).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(LearnHealthySpeed({}).status().code(), base::StatusCode::kInvalidArgument);
  std::vector<WeightedSpeed> weightless(10, WeightedSpeed{0, 0.1});
  EXPECT_EQ(LearnHealthySpeed(weightless).status().code(), base::StatusCode::kInvalidArgument);
}

TEST(LearnHealthySpeed, OneModeStaysOne) {
  const auto healthy = LearnHealthySpeed(Draw(200, 0, 0, 0.05));
  ASSERT_TRUE(healthy.ok());
  EXPECT_FALSE(healthy->two_modes());
  EXPECT_NEAR(healthy->fast, 0, 0.015);  // 0.05 / sqrt(200) = 0.0035, and the median knows it less well
  EXPECT_NEAR(healthy->sigma, 0.05, 0.012);
}

TEST(LearnHealthySpeed, TwoModesAreFoundAlsoWhenTheMedianIsSlow) {
  for (const double share : {0.3, 0.5, 0.7}) {
    const auto healthy = LearnHealthySpeed(Draw(300, share, std::log(0.8), 0.03));
    ASSERT_TRUE(healthy.ok());
    ASSERT_TRUE(healthy->two_modes()) << share;
    EXPECT_NEAR(std::exp(healthy->fast), 1, 0.02) << share;
    EXPECT_NEAR(std::exp(healthy->slow), 0.8, 0.02) << share;
    EXPECT_NEAR(healthy->slow_share, share, 0.1);
  }
}

TEST(LearnHealthySpeed, WhatIsFarSlowerIsNoHealthyMode) {
  // 20 % of the tests at 40 % of the speed: a fault, whoever it is.
  const auto healthy = LearnHealthySpeed(Draw(100, 0.2, std::log(0.4), 0.03));
  ASSERT_TRUE(healthy.ok());
  EXPECT_FALSE(healthy->two_modes());
  EXPECT_NEAR(std::exp(healthy->fast), 1, 0.05);
  EXPECT_LT(healthy->Density(std::log(0.4)), 0.05);
}

TEST(LearnHealthySpeed, SpoiledTestsDoNotCountWhenTheyHaveNoWeight) {
  std::vector<WeightedSpeed> speeds = Draw(40, 0, 0, 0.03);
  for (int i = 0; i < 60; ++i) speeds.push_back({-1.0, 0});
  const auto healthy = LearnHealthySpeed(speeds);
  ASSERT_TRUE(healthy.ok());
  EXPECT_NEAR(healthy->fast, 0, 0.03);
}

TEST(HealthySpeed, DensityIsNeverZeroAndChancesGrow) {
  const HealthySpeed healthy{.fast = 0, .slow = 0, .slow_share = 0, .sigma = 0.05};
  EXPECT_GT(healthy.Density(-4), 0);
  EXPECT_NEAR(healthy.ChanceBelow(0), 0.5, 0.01);  // half of a bell curve lies below its mean
  EXPECT_LT(healthy.ChanceBelow(-0.2), healthy.ChanceBelow(-0.1));
}

}  // namespace
}  // namespace ashlar::stats
