#include "stats/culprit/healthy_speed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "stats/culprit/limits.h"

namespace ashlar::stats {
namespace {

double Bell(double distance, double sigma) {
  const double z = distance / sigma;
  return std::exp(-0.5 * z * z) / (sigma * std::sqrt(2 * std::numbers::pi));
}

double BellBelow(double distance, double sigma) { return 0.5 * std::erfc(-distance / (sigma * std::numbers::sqrt2)); }

double Width(double scatter, double weight) {
  const double usual = kUsualTests * kUsualSigma * kUsualSigma;
  return std::max(std::sqrt((scatter + usual) / (weight + kUsualTests)), kMinHealthySigma);
}

double TotalWeight(std::span<const WeightedSpeed> speeds) {
  double total = 0;
  for (const WeightedSpeed& speed : speeds) total += speed.weight;
  return total;
}

// Value below which half of the weight lies; `sorted` is by value.
double WeightedMedian(std::span<const WeightedSpeed> sorted, double total) {
  double below = 0;
  for (const WeightedSpeed& speed : sorted) {
    below += speed.weight;
    if (below >= total / 2) return speed.log_speed;
  }
  return sorted.back().log_speed;
}

// Median and median absolute deviation: a few faults that are not weighed down yet do not move them.
HealthySpeed OneMode(std::span<const WeightedSpeed> sorted, double total) {
  HealthySpeed healthy;
  healthy.fast = healthy.slow = WeightedMedian(sorted, total);
  std::vector<WeightedSpeed> deviations(sorted.begin(), sorted.end());
  for (WeightedSpeed& speed : deviations) speed.log_speed = std::abs(speed.log_speed - healthy.fast);
  std::sort(deviations.begin(), deviations.end(),
            [](const WeightedSpeed& a, const WeightedSpeed& b) { return a.log_speed < b.log_speed; });
  constexpr double kBellDeviation = 1.4826;  // 1 / quantile(3/4) of the standard normal distribution
  const double deviation = kBellDeviation * WeightedMedian(deviations, total);
  healthy.sigma = Width(total * deviation * deviation, total);
  return healthy;
}

struct Moments {
  double weight = 0;
  double sum = 0;
  double squares = 0;
  void Add(double value, double by) {
    weight += by;
    sum += by * value;
    squares += by * value * value;
  }
  double mean() const { return weight > 0 ? sum / weight : 0; }
  // Sum of squared distances from the mean.
  double scatter() const { return weight > 0 ? std::max(0.0, squares - sum * sum / weight) : 0; }
};

// The split in two that leaves the least scatter.
HealthySpeed BestSplit(std::span<const WeightedSpeed> sorted) {
  Moments all;
  for (const WeightedSpeed& speed : sorted) all.Add(speed.log_speed, speed.weight);
  HealthySpeed best;
  double least = std::numeric_limits<double>::infinity();
  Moments low;
  for (const WeightedSpeed& speed : sorted) {
    low.Add(speed.log_speed, speed.weight);
    const Moments high{all.weight - low.weight, all.sum - low.sum, all.squares - low.squares};
    if (low.weight < kMinModeShare * all.weight || high.weight < kMinModeShare * all.weight) continue;
    const double scatter = low.scatter() + high.scatter();
    if (scatter >= least) continue;
    least = scatter;
    best.fast = high.mean();
    best.slow = low.mean();
    best.slow_share = low.weight / all.weight;
    best.sigma = Width(scatter, all.weight);
  }
  return best;
}

HealthySpeed TwoModes(std::span<const WeightedSpeed> sorted) {
  HealthySpeed modes = BestSplit(sorted);
  if (!modes.two_modes()) return modes;
  for (int iteration = 0; iteration < kModeIterations; ++iteration) {
    Moments fast;
    Moments slow;
    for (const WeightedSpeed& speed : sorted) {
      const double in_fast = (1 - modes.slow_share) * Bell(speed.log_speed - modes.fast, modes.sigma);
      const double in_slow = modes.slow_share * Bell(speed.log_speed - modes.slow, modes.sigma);
      const double all = (1 - kStraySpeed) * (in_fast + in_slow) + kStraySpeed * kStrayDensity;
      fast.Add(speed.log_speed, speed.weight * (1 - kStraySpeed) * in_fast / all);
      slow.Add(speed.log_speed, speed.weight * (1 - kStraySpeed) * in_slow / all);
    }
    if (fast.weight <= 0 || slow.weight <= 0) return {};
    const double scatter = fast.scatter() + slow.scatter();
    modes.fast = fast.mean();
    modes.slow = slow.mean();
    modes.slow_share = slow.weight / (fast.weight + slow.weight);
    modes.sigma = Width(scatter, fast.weight + slow.weight);
  }
  return modes;
}

bool AreTwo(const HealthySpeed& modes) {
  return modes.slow_share >= kMinModeShare && modes.slow_share <= 1 - kMinModeShare &&
         modes.fast - modes.slow > 2 * modes.sigma && modes.fast - modes.slow < kMaxModeGap;
}

// Two clusters that lie too far apart are healthy and faulty ones: then the upper one alone is looked at.
HealthySpeed TwoHealthyModes(std::span<const WeightedSpeed> sorted) {
  const HealthySpeed modes = TwoModes(sorted);
  if (!modes.two_modes() || modes.fast - modes.slow < kMaxModeGap) return modes;
  const double middle = (modes.fast + modes.slow) / 2;
  const auto upper =
      std::find_if(sorted.begin(), sorted.end(), [&](const WeightedSpeed& speed) { return speed.log_speed > middle; });
  return TwoModes(sorted.subspan(static_cast<size_t>(upper - sorted.begin())));
}

}  // namespace

double HealthySpeed::Density(double log_speed) const {
  double bells = Bell(log_speed - fast, sigma);
  if (two_modes()) bells = (1 - slow_share) * bells + slow_share * Bell(log_speed - slow, sigma);
  return (1 - kStraySpeed) * bells + kStraySpeed * kStrayDensity;
}

double HealthySpeed::ChanceBelow(double log_speed) const {
  double bells = BellBelow(log_speed - fast, sigma);
  if (two_modes()) bells = (1 - slow_share) * bells + slow_share * BellBelow(log_speed - slow, sigma);
  return (1 - kStraySpeed) * bells + kStraySpeed * std::clamp((log_speed - fast + 5) * kStrayDensity, 0.0, 1.0);
}

double Score(const HealthySpeed& healthy, std::span<const WeightedSpeed> speeds) {
  double score = 0;
  for (const WeightedSpeed& speed : speeds) score += speed.weight * std::log(healthy.Density(speed.log_speed));
  const double parameters = healthy.two_modes() ? 4 : 2;
  return score - 0.5 * parameters * std::log(std::max(TotalWeight(speeds), 2.0));
}

base::StatusOr<HealthySpeed> LearnHealthySpeed(std::span<const WeightedSpeed> speeds) {
  const double total = TotalWeight(speeds);
  if (!(total >= kMinHealthyTests)) {
    return base::Error(base::StatusCode::kInvalidArgument,
                       "{:.1f} healthy tests, and {} are needed to know what is healthy", total, kMinHealthyTests);
  }
  std::vector<WeightedSpeed> sorted(speeds.begin(), speeds.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const WeightedSpeed& a, const WeightedSpeed& b) { return a.log_speed < b.log_speed; });
  const HealthySpeed one = OneMode(sorted, total);
  const HealthySpeed two = TwoHealthyModes(sorted);
  return AreTwo(two) && Score(two, sorted) > Score(one, sorted) ? two : one;
}

}  // namespace ashlar::stats
