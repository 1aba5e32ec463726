// What one sample costs: this machine and a recorded large one, beside the ceiling: opening and reading the same files
// without looking at them.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>

#include "node/sensors.h"

namespace ashlar::node {
namespace {

// CPU time of the whole process: the threads that read GPUs count too.
double CpuSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  constexpr double kMicro = 1e-6;
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * kMicro;
}

SamplerSources Sources() {
  SamplerSources sources;
  // A folder with proc/ and sys/ of another machine, to measure what this one does not have.
  const char* root = std::getenv("ASHLAR_BENCH_ROOT");
  if (root != nullptr) sources.system = os::SysReader(root);
  return sources;
}

void BM_Sample(benchmark::State& state) {
  Sampler sampler(Sources());
  sampler.Take();
  size_t series = 0;
  const double start = CpuSeconds();
  for (auto _ : state) {
    const Sample& sample = sampler.Take();
    benchmark::DoNotOptimize(&sample);
  }
  for (const SourceSample& source : sampler.Take().sources) {
    for (const SeriesFamily& family : source.families) series += family.series.size();
  }
  state.counters["cpu_ms_per_sample"] =
      (CpuSeconds() - start) * 1000 / static_cast<double>(std::max<int64_t>(state.iterations(), 1));
  state.counters["series"] = static_cast<double>(series);
}
BENCHMARK(BM_Sample)->Unit(benchmark::kMicrosecond);

// The ceiling: the kernel's own work for the same files.
void BM_BareRead(benchmark::State& state) {
  const os::SysReader reader = Sources().system;
  std::vector<std::string> paths = {"/proc/stat",    "/proc/loadavg",      "/proc/meminfo",        "/proc/diskstats",
                                    "/proc/net/dev", "/proc/pressure/cpu", "/proc/pressure/io",
                                    "/proc/pressure/memory"};
  const auto devices = reader.List("/sys/class/infiniband");
  for (const std::string& device : devices.ok() ? *devices : std::vector<std::string>()) {
    const std::string counters = fmt::format("/sys/class/infiniband/{}/ports/1/counters", device);
    const auto names = reader.List(counters);
    for (const std::string& name : names.ok() ? *names : std::vector<std::string>()) {
      paths.push_back(fmt::format("{}/{}", counters, name));
    }
  }
  std::string buffer;
  for (auto _ : state) {
    for (const std::string& path : paths) {
      benchmark::DoNotOptimize(reader.ReadInto(path, buffer).ok());
    }
  }
  state.counters["files"] = static_cast<double>(paths.size());
}
BENCHMARK(BM_BareRead)->Unit(benchmark::kMicrosecond);

void BM_Prometheus(benchmark::State& state) {
  Sampler sampler(Sources());
  const Sample& sample = sampler.Take();
  std::string text;
  for (auto _ : state) {
    text.clear();
    AppendPrometheus(sample, text);
  }
  state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(BM_Prometheus)->Unit(benchmark::kMicrosecond);

// Growth of the heap over 100,000 samples, in bytes: it must be none.
void BM_GrowthOver100000Samples(benchmark::State& state) {
  constexpr int kSamples = 100'000;
  constexpr int kWarmUp = 1000;
  double growth = 0;
  for (auto _ : state) {
    Sampler sampler(Sources());
    for (int sample = 0; sample < kWarmUp; ++sample) sampler.Take();
    (void)sampler.WaitForGpus(absl::Seconds(10));
    const auto before = static_cast<double>(mallinfo2().uordblks);
    for (int sample = 0; sample < kSamples; ++sample) sampler.Take();
    (void)sampler.WaitForGpus(absl::Seconds(10));
    growth = static_cast<double>(mallinfo2().uordblks) - before;
  }
  state.counters["heap_growth_bytes"] = growth;
}
BENCHMARK(BM_GrowthOver100000Samples)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace ashlar::node
