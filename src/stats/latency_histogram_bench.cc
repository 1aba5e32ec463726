// Recording must cost nothing beside an I/O operation; the ceiling beside it is appending to a plain array.
#include <benchmark/benchmark.h>

#include <vector>

#include "stats/latency_histogram.h"

namespace ashlar::stats {
namespace {

int64_t NextNanoseconds(uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<int64_t>(state >> 44U);  // 0 to 1 ms
}

void BenchRecord(benchmark::State& state) {
  LatencyHistogram histogram;
  uint64_t random = 1;
  for (auto _ : state) histogram.Record(NextNanoseconds(random));
  benchmark::DoNotOptimize(histogram.count());
}
BENCHMARK(BenchRecord);

void BenchArrayStore(benchmark::State& state) {
  std::vector<int64_t> sample(1U << 16U);
  uint64_t random = 1;
  size_t next = 0;
  for (auto _ : state) sample[next++ & 0xffffU] = NextNanoseconds(random);
  benchmark::DoNotOptimize(sample.data());
}
BENCHMARK(BenchArrayStore);

}  // namespace
}  // namespace ashlar::stats
