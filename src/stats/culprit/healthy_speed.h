// How fast healthy tests are: one mode, or two that tests fall into by chance.
//
// Real clusters often have two speeds (a routing choice, a clock state), and the median may lie in the slow one; so the
// healthy spread is a mixture of two bell curves in ln(speed) with one width, and a few strays. It is learned from the
// tests themselves, each weighed with the chance that no fault touched it. Plain values; any thread.
#pragma once

#include <span>

#include "base/base.h"

namespace ashlar::stats {

struct WeightedSpeed {
  double log_speed = 0;
  double weight = 1;  // 0 to 1
};

struct HealthySpeed {
  double fast = 0;        // mean of ln(speed) in the fast mode
  double slow = 0;        // in the slow mode; as `fast` when there is one mode
  double slow_share = 0;  // of tests in the slow mode; 0 when there is one mode
  double sigma = 0;       // of either mode
  bool two_modes() const { return slow_share > 0; }

  // Density of ln(speed) of a healthy test, strays included; never 0.
  double Density(double log_speed) const;
  // The chance that a healthy test is this slow or slower.
  double ChanceBelow(double log_speed) const;
};

// Weighted logarithm of the likelihood, less what the number of parameters costs (Bayesian information criterion,
// Schwarz 1978): models with one and with two modes are compared by it.
double Score(const HealthySpeed& healthy, std::span<const WeightedSpeed> speeds);

// Fits one mode and two (expectation maximisation from the best split in two clusters) and takes the better one; two
// only when they are more than two widths apart. kInvalidArgument when the weights sum to less than kMinHealthyTests.
base::StatusOr<HealthySpeed> LearnHealthySpeed(std::span<const WeightedSpeed> speeds);

}  // namespace ashlar::stats
