// One source of a sample. Each stands alone; the sampler calls them one after the other.
//
// For the one thread that samples. Each keeps its own buffers between samples, so that nothing is allocated anew.
#pragma once

#include <absl/time/time.h>

#include <memory>
#include <string_view>
#include <vector>

#include "node/sensors.h"
#include "node/sensors/series_board.h"

namespace ashlar::node {

class Sensor {
 public:
  virtual ~Sensor() = default;
  // As node_exporter names the collector.
  virtual std::string_view name() const = 0;
  // Declares the families, once, before the first reading.
  virtual void Declare(SourceSample& sample) = 0;
  // Writes what can be read; everything else stays absent. An error says why something is. `now` is monotonic.
  virtual base::Status Read(SourceSample& sample, absl::Duration now) = 0;

  // Everything is absent until Read writes it.
  void Begin(SourceSample& sample, absl::Duration now) { board_.Begin(sample, now); }

 protected:
  SeriesBoard board_;
};

std::unique_ptr<Sensor> MakeCpuSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeLoadSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeMemorySensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakePressureSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeDiskSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeNetworkSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeFilesystemSensor(const SamplerSources& sources);
std::unique_ptr<Sensor> MakeInfiniBandSensor(const SamplerSources& sources);

// GPUs are read in the background, so this one has a way to wait.
class GpuSensor : public Sensor {
 public:
  virtual bool WaitUntilIdle(absl::Duration deadline) const = 0;
};
std::unique_ptr<GpuSensor> MakeGpuSensor(const SamplerSources& sources, GpuVendor vendor);

}  // namespace ashlar::node
