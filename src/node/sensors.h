// The machine's sensors: one sample reads all of them into series that keep their place, with rates from counters.
//
// Every source stands alone: one that fails has its values absent and says why, the others go on. After the first
// samples nothing is allocated unless a device appears. GPUs are read by threads of their own (gpu/gpu_watch.h): a
// sample has what was asked for at the sample before, and a driver that hangs costs only its own values.
// A Sampler is for one thread at a time; a Sample is a plain value that may be copied to others.
#pragma once

#include <absl/time/time.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/gpu.h"
#include "os/os.h"

namespace ashlar::node {

enum class SeriesType { kCounter, kGauge };

inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

struct Series {
  std::string labels;      // as in the exposition format: `cpu="0",mode="user"`; "" for none
  double value = kAbsent;  // not a number when absent
  double rate = kAbsent;   // of a counter: per second since the sample before; absent after a reset
};

// All series of one name, in an order that stays; new devices come at the end.
struct SeriesFamily {
  std::string name;  // "node_cpu_seconds_total"
  std::string help;
  SeriesType type = SeriesType::kGauge;
  std::vector<Series> series;
};

struct SourceSample {
  std::string name;         // as node_exporter's collectors: "cpu", "diskstats"
  base::Status status;      // why values are absent; OK when everything was read
  absl::Duration duration;  // how long the reading took
  std::vector<SeriesFamily> families;
};

struct Sample {
  absl::Time time;
  std::vector<SourceSample> sources;
};

// Space on the file system that holds a path, in bytes and files.
struct FilesystemSpace {
  uint64_t size_bytes = 0;
  uint64_t free_bytes = 0;
  uint64_t available_bytes = 0;  // to ordinary users
  uint64_t files = 0;
  uint64_t free_files = 0;
};
using SpaceReader = std::function<base::StatusOr<FilesystemSpace>(const std::string& path)>;

// statvfs(3).
base::StatusOr<FilesystemSpace> ReadFilesystemSpace(const std::string& path);

struct SamplerSources {
  os::SysReader system;
  GpuSources gpus;
  SpaceReader space = ReadFilesystemSpace;          // asked only for local file systems: one on a network may hang
  const base::Clock* clock = &base::SystemClock();  // never null
};

class Sensor;

class Sampler {
 public:
  explicit Sampler(const SamplerSources& sources);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Reads every source. The sample stays valid until the next call, which writes over it.
  const Sample& Take();

  // Waits until no GPU is being read. False when `deadline` passes first. For tests and for a single sample.
  bool WaitForGpus(absl::Duration deadline) const;

 private:
  const SamplerSources sources_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
  Sample sample_;
};

// The series of family `name` whose labels are `labels`; nullptr when there is none.
const Series* FindSeries(const Sample& sample, std::string_view name, std::string_view labels);

// Appends the sample in Prometheus' text format 0.0.4, with node_exporter's names: what is absent is left out, and each
// source has node_scrape_collector_success and node_scrape_collector_duration_seconds.
void AppendPrometheus(const Sample& sample, std::string& text);

}  // namespace ashlar::node
