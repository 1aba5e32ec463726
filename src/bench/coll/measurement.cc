#include "bench/coll/measurement.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

constexpr int kMaxCalibrations = 8;

// What each rank adds behind its batch times.
enum Extra : size_t { kElapsed, kPreemptions, kExtras };

int64_t Preemptions() {
  rusage usage{};
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

class Sampler {
 public:
  Sampler(CollectiveBackend& backend, const CollectiveCall& call, const MeasureOptions& options)
      : backend_(backend), call_(call), options_(options), start_(std::chrono::steady_clock::now()) {}

  // Runs `batches` batches of `iterations` and adds a sample for each; how long this has run, the same on each rank.
  base::StatusOr<absl::Duration> Round(int64_t iterations, int64_t batches) {
    std::vector<double> mine(static_cast<size_t>(batches) + kExtras);
    const std::span<double> times(mine.data(), static_cast<size_t>(batches));
    const int64_t before = Preemptions();
    ASHLAR_RETURN_IF_ERROR(backend_.Time(call_, iterations * options_.aggregate, times));
    mine[times.size() + kPreemptions] = static_cast<double>(Preemptions() - before);
    mine[times.size() + kElapsed] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> all, backend_.ShareNumbers(mine));
    const auto ranks = static_cast<size_t>(backend_.ranks());
    std::vector<double> column(ranks);
    const auto gather = [&](size_t index) {
      for (size_t rank = 0; rank < ranks; ++rank) column[rank] = all[rank * mine.size() + index];
      return std::span<const double>(column);
    };
    const auto operations = static_cast<double>(iterations * options_.aggregate);
    for (size_t batch = 0; batch < times.size(); ++batch) {
      samples_.push_back(CombineRanks(gather(batch), options_.average) / operations);
    }
    iterations_ += iterations * batches;
    for (const double each : gather(times.size() + kPreemptions)) preemptions_ += static_cast<int64_t>(each);
    const std::span<const double> elapsed = gather(times.size() + kElapsed);
    return absl::Seconds(*std::max_element(elapsed.begin(), elapsed.end()));
  }

  void SignOfLife(std::string_view text) const {
    if (options_.on_round) options_.on_round(text);
  }
  void Forget() {
    samples_.clear();
    iterations_ = 0;
    preemptions_ = 0;
  }
  // Seconds of one iteration, by the latest sample.
  double latest() const { return samples_.back() * static_cast<double>(options_.aggregate); }
  const std::vector<double>& samples() const { return samples_; }

  base::StatusOr<Measurement> Result(int64_t batch_iterations) const {
    Measurement measurement;
    measurement.iterations = iterations_;
    measurement.batch_iterations = batch_iterations;
    measurement.preemptions = preemptions_;
    ASHLAR_ASSIGN_OR_RETURN(measurement.seconds, stats::Summarize(samples_));
    const auto interval = stats::MedianInterval95(samples_);
    if (interval.ok()) measurement.interval = *interval;
    return measurement;
  }

 private:
  CollectiveBackend& backend_;
  const CollectiveCall& call_;
  const MeasureOptions& options_;
  const std::chrono::steady_clock::time_point start_;
  std::vector<double> samples_;
  int64_t iterations_ = 0;
  int64_t preemptions_ = 0;
};

int64_t Clamped(double value, int64_t least, int64_t most) {
  if (!(value > static_cast<double>(least))) return least;
  return value < static_cast<double>(most) ? static_cast<int64_t>(value) : most;
}

// How many iterations make a batch of at least `time`.
int64_t BatchIterations(double seconds_per_iteration, absl::Duration time) {
  constexpr double kRounding = 1e-6;  // 25 us of 1 us each are 25, not 26
  return Clamped(std::ceil(absl::ToDoubleSeconds(time) / seconds_per_iteration - kRounding), 1, kMaxBatchIterations);
}

int64_t BatchesInARound(double seconds_per_batch) {
  return Clamped(absl::ToDoubleSeconds(kMaxRoundTime) / seconds_per_batch, 1, kMaxBatches);
}

base::Status WarmUp(Sampler& sampler, int64_t iterations) {
  sampler.SignOfLife("warm-up");
  while (iterations > 0) {
    const int64_t now = std::min<int64_t>(iterations, kMaxBatchIterations);
    ASHLAR_RETURN_IF_ERROR(sampler.Round(now, 1).status());
    iterations -= now;
  }
  return base::OkStatus();
}

base::StatusOr<Measurement> MeasureFixed(Sampler& sampler, const MeasureOptions& options) {
  // One iteration tells how long a batch must be; with a warm-up it is a warm one.
  ASHLAR_RETURN_IF_ERROR(sampler.Round(1, 1).status());
  const double iteration = sampler.latest();
  sampler.Forget();
  const int64_t total = *options.iterations;
  const int64_t wanted = BatchIterations(iteration, kMinFixedBatchTime);
  const int64_t batches = std::clamp<int64_t>(total / wanted, 1, kMaxBatches);
  const int64_t base_length = total / batches;
  // The first batches take what the division leaves, so that exactly `total` iterations run.
  int64_t longer = total % batches;
  int64_t shorter = batches - longer;
  const int64_t at_once = BatchesInARound(iteration * static_cast<double>(base_length + 1));
  while (longer + shorter > 0) {
    int64_t& group = longer > 0 ? longer : shorter;
    const int64_t length = longer > 0 ? base_length + 1 : base_length;
    const int64_t now = std::min(group, at_once);
    sampler.SignOfLife("timing");
    ASHLAR_RETURN_IF_ERROR(sampler.Round(length, now).status());
    group -= now;
  }
  return sampler.Result(base_length);
}

// Lengthens the batch until it lasts kMinBatchTime: the first operations are slow and would make it too short.
base::StatusOr<int64_t> Calibrate(Sampler& sampler) {
  sampler.SignOfLife("calibration");
  int64_t iterations = 1;
  for (int i = 0; i < kMaxCalibrations; ++i) {
    ASHLAR_RETURN_IF_ERROR(sampler.Round(iterations, 1).status());
    const int64_t wanted = BatchIterations(sampler.latest(), kMinBatchTime);
    if (wanted <= iterations + iterations / 4) break;
    iterations = wanted;
  }
  return iterations;
}

base::StatusOr<Measurement> MeasureAdaptive(Sampler& sampler, const MeasureOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(int64_t iterations, Calibrate(sampler));
  double batch = sampler.latest() * static_cast<double>(iterations);
  sampler.Forget();
  const absl::Duration least = std::min(kMinPlacementTime, options.time_limit);
  int calibrations = 1;
  int64_t round = Clamped(absl::ToDoubleSeconds(options.time_limit) / batch, options.least_batches, kMinBatches);
  while (true) {
    sampler.SignOfLife("timing");
    ASHLAR_ASSIGN_OR_RETURN(const absl::Duration elapsed, sampler.Round(iterations, round));
    batch = sampler.latest() * static_cast<double>(iterations);
    if (batch < absl::ToDoubleSeconds(kMinBatchTime) / 4 && iterations < kMaxBatchIterations &&
        calibrations < kMaxCalibrations) {
      // It was calibrated while something slowed it down.
      ++calibrations;
      ASHLAR_ASSIGN_OR_RETURN(iterations, Calibrate(sampler));
      sampler.Forget();
      continue;
    }
    const auto taken = static_cast<int64_t>(sampler.samples().size());
    const auto interval = stats::MedianInterval95(sampler.samples());
    const bool precise = interval.ok() && interval->relative_half_width <= options.interval;
    const bool converged = precise && elapsed >= least;
    if (converged || elapsed >= options.time_limit || taken >= kMaxBatches) {
      ASHLAR_ASSIGN_OR_RETURN(Measurement measurement, sampler.Result(iterations));
      measurement.converged = precise;
      return measurement;
    }
    const double left = absl::ToDoubleSeconds(options.time_limit - elapsed) / batch;
    round = std::min(
        {std::max<int64_t>(4, taken / 2), Clamped(left, 1, kMaxBatches), BatchesInARound(batch), kMaxBatches - taken});
  }
}

}  // namespace

base::Status SettleRanks(CollectiveBackend& backend, const CollectiveCall& call, absl::Duration time) {
  MeasureOptions options;
  Sampler sampler(backend, call, options);
  absl::Duration elapsed = absl::ZeroDuration();
  while (elapsed < time) {
    ASHLAR_ASSIGN_OR_RETURN(elapsed, sampler.Round(1, 1));
  }
  return base::OkStatus();
}

double CombineRanks(std::span<const double> times, RankAverage average) {
  switch (average) {
    case RankAverage::kRankZero: return times.front();
    case RankAverage::kMinimum: return *std::min_element(times.begin(), times.end());
    case RankAverage::kMaximum: return *std::max_element(times.begin(), times.end());
    case RankAverage::kMean: break;
  }
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

base::StatusOr<Measurement> Measure(CollectiveBackend& backend, const CollectiveCall& call,
                                    const MeasureOptions& options) {
  Sampler sampler(backend, call, options);
  ASHLAR_RETURN_IF_ERROR(WarmUp(sampler, options.warmup_iterations));
  return options.iterations.has_value() ? MeasureFixed(sampler, options) : MeasureAdaptive(sampler, options);
}

}  // namespace ashlar::bench
