// What one sample costs, beside the ceiling: opening and reading the same files without looking at them.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <optional>

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

// This machine, or (`ports` > 0) this machine with that many InfiniBand ports beside it: the kernel's files as they
// are, and the ports' as files in memory.
class Machine {
 public:
  explicit Machine(int64_t ports) {
    if (ports == 0) return;
    auto directory = os::TemporaryDirectory::Create("/dev/shm");
    if (!directory.ok()) std::abort();
    directory_.emplace(*std::move(directory));
    std::filesystem::create_directory_symlink("/proc", directory_->path() + "/proc");
    for (int64_t port = 0; port < ports; ++port) AddPort(port);
  }

  SamplerSources sources() const {
    SamplerSources sources;
    if (directory_) {
      sources.system = os::SysReader(directory_->path());
      sources.space = [](const std::string&) -> base::StatusOr<FilesystemSpace> { return ReadFilesystemSpace("/"); };
    }
    return sources;
  }

 private:
  void AddPort(int64_t port) const {
    const std::string path = fmt::format("{}/sys/class/infiniband/mlx5_ib{}/ports/1", directory_->path(), port);
    std::filesystem::create_directories(path + "/counters");
    std::ofstream(path + "/state") << "4: ACTIVE\n";
    std::ofstream(path + "/phys_state") << "5: LinkUp\n";
    std::ofstream(path + "/rate") << "400 Gb/sec (4X NDR)\n";
    for (const std::string_view counter : kCounterFiles) {
      std::ofstream(fmt::format("{}/counters/{}", path, counter)) << "123456789012\n";
    }
  }

  static constexpr std::string_view kCounterFiles[] = {
      "port_rcv_data",         "port_xmit_data",       "port_rcv_packets",
      "port_xmit_packets",     "port_rcv_errors",      "port_xmit_discards",
      "port_xmit_wait",        "symbol_error",         "port_rcv_constraint_errors",
      "link_downed",           "link_error_recovery",  "port_xmit_constraint_errors",
      "VL15_dropped",          "unicast_rcv_packets",  "local_link_integrity_errors",
      "multicast_rcv_packets", "unicast_xmit_packets", "excessive_buffer_overrun_errors",
      "multicast_xmit_packets"};

  std::optional<os::TemporaryDirectory> directory_;
};

constexpr int64_t kNdPorts = 8;  // of an Azure ND H100

void BM_Sample(benchmark::State& state) {
  const Machine machine(state.range(0));
  Sampler sampler(machine.sources());
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
  const double cpu_seconds = (CpuSeconds() - start) / static_cast<double>(std::max<int64_t>(state.iterations(), 1));
  state.SetLabel(fmt::format("{} series; CPU of all threads {} a sample", series,
                             base::HumanDuration(absl::Seconds(cpu_seconds))));
}
BENCHMARK(BM_Sample)->ArgName("infiniband_ports")->Arg(0)->Arg(kNdPorts);

// The ceiling: the kernel's own work for the same files.
void BM_BareRead(benchmark::State& state) {
  const Machine machine(state.range(0));
  const os::SysReader reader = machine.sources().system;
  std::vector<std::string> paths = {"/proc/stat",        "/proc/loadavg",        "/proc/meminfo",
                                    "/proc/diskstats",   "/proc/net/dev",        "/proc/pressure/cpu",
                                    "/proc/pressure/io", "/proc/pressure/memory"};
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
  state.SetLabel(fmt::format("{} files", paths.size()));
}
BENCHMARK(BM_BareRead)->ArgName("infiniband_ports")->Arg(0)->Arg(kNdPorts);

void BM_Prometheus(benchmark::State& state) {
  const Machine machine(kNdPorts);
  Sampler sampler(machine.sources());
  const Sample& sample = sampler.Take();
  std::string text;
  for (auto _ : state) {
    text.clear();
    AppendPrometheus(sample, text);
  }
  state.SetLabel(fmt::format("{} bytes", text.size()));
}
BENCHMARK(BM_Prometheus);

// Growth of the heap in bytes: as much after 100,000 samples as after 1,000, so nothing grows with samples. (glibc
// counts what its caches of freed blocks hold as used; GLIBC_TUNABLES=glibc.malloc.tcache_count=0 leaves them empty.)
void BM_HeapGrowth(benchmark::State& state) {
  constexpr int kWarmUp = 1000;
  double growth = 0;
  const Machine machine(kNdPorts);
  for (auto _ : state) {
    Sampler sampler(machine.sources());
    for (int sample = 0; sample < kWarmUp; ++sample) sampler.Take();
    (void)sampler.WaitForGpus(absl::Seconds(10));
    const auto before = static_cast<double>(mallinfo2().uordblks);
    for (int64_t sample = 0; sample < state.range(0); ++sample) sampler.Take();
    (void)sampler.WaitForGpus(absl::Seconds(10));
    growth = static_cast<double>(mallinfo2().uordblks) - before;
  }
  state.SetLabel(fmt::format("heap {} bytes more than before", growth));
}
BENCHMARK(BM_HeapGrowth)->ArgName("samples")->Arg(1000)->Arg(100'000)->Iterations(1)->Repetitions(1);

}  // namespace
}  // namespace ashlar::node
