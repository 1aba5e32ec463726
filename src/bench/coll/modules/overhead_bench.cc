// What our loop costs over a bare MPI loop in this same program, and what the adaptive mode saves. Run it under
// mpirun.openmpi; rank 0 prints lines of blank-separated fields for tools/bench.d/10-collectives.sh.
//
//   ashlar_bench_coll_overhead overhead REPEATS   "overhead SIZE BARE_US OURS_US OVERHEAD_% BARE_MEDIAN_US
//   OUR_MEDIAN_US" ashlar_bench_coll_overhead adaptive           "adaptive SIZE ITERATIONS MEDIAN_US HALF_INTERVAL_%",
//   then two totals
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/coll/backend.h"
#include "bench/coll/limits.h"
#include "bench/coll/measurement.h"
#include "stats/stats.h"

extern "C" ashlar::bench::CollectiveBackend* ashlar_backend_module_open(char* error, size_t error_bytes);

namespace ashlar::bench {
namespace {

constexpr uint64_t kLargestBytes = 64 * base::kMiB;
constexpr double kBlockSeconds = 0.004;
constexpr int kPairsInARepeat = 8;
constexpr int kMediansInARepeat = 3;

struct Bench {
  CollectiveBackend& backend;
  CollectiveCall call;
};

// The ceiling: what anybody would write. Seconds of each batch.
void BareLoop(const Bench& bench, int64_t iterations, std::span<double> seconds) {
  const int count = static_cast<int>(bench.call.count);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (double& batch : seconds) {
    for (int64_t i = 0; i < iterations; ++i) {
      MPI_Allreduce(bench.call.send, bench.call.receive, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    const double end = MPI_Wtime();
    batch = end - begin;
    begin = end;
  }
}

double MeanOfRanks(const Bench& bench, double mine) {
  const auto all = bench.backend.ShareNumbers(std::span(&mine, 1));
  return all.ok() ? CombineRanks(*all, RankAverage::kMean) : 0;
}

double MedianOf(std::vector<double> values) { return stats::Median(std::move(values)).value_or(0); }

int64_t IterationsFor(const Bench& bench, double block_seconds) {
  double seconds = 0;
  BareLoop(bench, 2, std::span(&seconds, 1));
  BareLoop(bench, 8, std::span(&seconds, 1));
  return std::clamp<int64_t>(static_cast<int64_t>(block_seconds / (MeanOfRanks(bench, seconds) / 8)), 1, 10'000);
}

// Pairs of equal blocks, who goes first changing each time, so that a drift of the machine hits both alike.
void PrintOverhead(const Bench& bench, int repeats) {
  const int64_t iterations = IterationsFor(bench, kBlockSeconds);
  std::vector<double> bare;
  std::vector<double> ours;
  std::vector<double> ratios;
  std::vector<double> bare_medians;
  std::vector<double> our_medians;
  for (int pair = 0; pair < repeats * kPairsInARepeat; ++pair) {
    double plain = 0;
    double wrapped = 0;
    if (pair % 2 == 0) BareLoop(bench, iterations, std::span(&plain, 1));
    if (!bench.backend.Time(bench.call, iterations, std::span(&wrapped, 1)).ok()) return;
    if (pair % 2 == 1) BareLoop(bench, iterations, std::span(&plain, 1));
    bare.push_back(MeanOfRanks(bench, plain) / static_cast<double>(iterations));
    ours.push_back(MeanOfRanks(bench, wrapped) / static_cast<double>(iterations));
    ratios.push_back(ours.back() / bare.back());
  }
  std::vector<double> median_ratios;
  for (int repeat = 0; repeat < repeats * kMediansInARepeat; ++repeat) {
    const MeasureOptions options{.time_limit = kMaxPlacementTime};
    const auto measured = Measure(bench.backend, bench.call, options);
    if (!measured.ok()) return;
    std::vector<double> batches(measured->seconds.count);
    BareLoop(bench, measured->batch_iterations, batches);
    for (double& batch : batches) {
      batch = MeanOfRanks(bench, batch) / static_cast<double>(measured->batch_iterations);
    }
    our_medians.push_back(measured->seconds.p50);
    bare_medians.push_back(MedianOf(batches));
    median_ratios.push_back(our_medians.back() / bare_medians.back());
  }
  if (bench.backend.rank() != 0) return;
  std::printf("overhead %llu %.4f %.4f %.2f %.4f %.4f %.2f\n", static_cast<unsigned long long>(bench.call.count * 4),
              MedianOf(bare) * 1e6, MedianOf(ours) * 1e6, (MedianOf(ratios) - 1) * 100, MedianOf(bare_medians) * 1e6,
              MedianOf(our_medians) * 1e6, (MedianOf(median_ratios) - 1) * 100);
  std::fflush(stdout);
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct SizeResult {
  uint64_t count = 0;
  Measurement measurement;
};

// A fixed count is one number for all sizes: for every size to be known as well, it must be that of the worst one.
void PrintTotals(Bench& bench, const std::vector<SizeResult>& results, double adaptive_seconds) {
  constexpr uint64_t kRunUpToCount = 16 * 1024;  // the fixed run over all sizes would take hours
  int64_t most = 0;
  double sum = 0;
  double adaptive_small = 0;
  for (const SizeResult& result : results) {
    most = std::max(most, result.measurement.iterations);
    sum += result.measurement.seconds.p50;
  }
  const auto small_begin = std::chrono::steady_clock::now();
  for (const SizeResult& result : results) {
    if (result.count > kRunUpToCount) continue;
    bench.call.count = result.count;
    if (!Measure(bench.backend, bench.call, {.time_limit = kMaxPlacementTime}).ok()) return;
  }
  adaptive_small = SecondsSince(small_begin);
  const auto fixed_begin = std::chrono::steady_clock::now();
  for (const SizeResult& result : results) {
    if (result.count > kRunUpToCount) continue;
    bench.call.count = result.count;
    if (!Measure(bench.backend, bench.call, {.iterations = most}).ok()) return;
  }
  const double fixed_small = SecondsSince(fixed_begin);
  if (bench.backend.rank() != 0) return;
  std::printf("total_all_sizes %lld %.3f %.3f\n", static_cast<long long>(most), adaptive_seconds,
              static_cast<double>(most) * sum);
  std::printf("total_to_64KiB %lld %.3f %.3f\n", static_cast<long long>(most), adaptive_small, fixed_small);
}

void PrintAdaptive(Bench& bench) {
  std::vector<SizeResult> results;
  double total = 0;
  for (uint64_t bytes = 8; bytes <= kLargestBytes; bytes *= 2) {
    bench.call.count = bytes / 4;
    const auto begin = std::chrono::steady_clock::now();
    const auto measured = Measure(bench.backend, bench.call, {.time_limit = kMaxPlacementTime});
    total += SecondsSince(begin);
    if (!measured.ok()) return;
    results.push_back({bench.call.count, *measured});
    const double half = measured->interval.has_value() ? measured->interval->relative_half_width * 100 : -1;
    if (bench.backend.rank() == 0) {
      std::printf("adaptive %llu %lld %.3f %.2f\n", static_cast<unsigned long long>(bytes),
                  static_cast<long long>(measured->iterations), measured->seconds.p50 * 1e6, half);
    }
  }
  PrintTotals(bench, results, total);
}

int Run(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  const int64_t repeats = count > 2 ? base::ParseInt64(words[2]).value_or(0) : 7;
  if ((what != "overhead" && what != "adaptive") || repeats < 1) {
    std::fprintf(stderr, "usage: %s overhead|adaptive [REPEATS]\n", words[0]);
    return 2;
  }
  char error[512] = "";
  const std::unique_ptr<CollectiveBackend> backend(ashlar_backend_module_open(error, sizeof(error)));
  if (backend == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 3;
  }
  Bench bench{.backend = *backend, .call = {}};
  bench.call.send = backend->AllocateBuffer(kLargestBytes);
  bench.call.receive = backend->AllocateBuffer(kLargestBytes);
  bench.call.count = 2;
  const base::Status settled = SettleRanks(*backend, bench.call, 4 * kSettlingTime);
  if (settled.ok() && what == "adaptive") PrintAdaptive(bench);
  for (uint64_t bytes = 8; settled.ok() && what == "overhead" && bytes <= kLargestBytes; bytes *= 2) {
    bench.call.count = bytes / 4;
    PrintOverhead(bench, static_cast<int>(repeats));
  }
  backend->FreeBuffer(bench.call.send);
  backend->FreeBuffer(bench.call.receive);
  return settled.ok() ? 0 : 3;
}

}  // namespace
}  // namespace ashlar::bench

int main(int count, char** words) { return ashlar::bench::Run(count, words); }
