#include "node/sensors.h"

#include "node/sensors/sensor.h"

namespace ashlar::node {

Sampler::Sampler(const SamplerSources& sources) : sources_(sources) {
  sensors_.push_back(MakeCpuSensor(sources_));
  sensors_.push_back(MakeLoadSensor(sources_));
  sensors_.push_back(MakePressureSensor(sources_));
  sensors_.push_back(MakeMemorySensor(sources_));
  sensors_.push_back(MakeDiskSensor(sources_));
  sensors_.push_back(MakeNetworkSensor(sources_));
  sensors_.push_back(MakeFilesystemSensor(sources_));
  sensors_.push_back(MakeInfiniBandSensor(sources_));
  for (const GpuVendor vendor : {GpuVendor::kNvidia, GpuVendor::kAmd}) {
    sensors_.push_back(MakeGpuSensor(sources_, vendor));
  }
  sample_.sources.resize(sensors_.size());
  for (size_t at = 0; at < sensors_.size(); ++at) {
    sample_.sources[at].name = sensors_[at]->name();
    sensors_[at]->Declare(sample_.sources[at]);
  }
}

Sampler::~Sampler() = default;

const Sample& Sampler::Take() {
  sample_.time = sources_.clock->Now();
  for (size_t at = 0; at < sensors_.size(); ++at) {
    SourceSample& source = sample_.sources[at];
    const absl::Duration start = sources_.clock->Monotonic();
    sensors_[at]->Begin(source, start);
    source.status = sensors_[at]->Read(source, start);
    source.duration = sources_.clock->Monotonic() - start;
  }
  return sample_;
}

bool Sampler::WaitForGpus(absl::Duration deadline) const {
  bool idle = true;
  for (const auto& sensor : sensors_) {
    const auto* gpus = dynamic_cast<const GpuSensor*>(sensor.get());
    if (gpus != nullptr) idle = gpus->WaitUntilIdle(deadline) && idle;
  }
  return idle;
}

const Series* FindSeries(const Sample& sample, std::string_view name, std::string_view labels) {
  for (const SourceSample& source : sample.sources) {
    for (const SeriesFamily& family : source.families) {
      if (family.name != name) continue;
      for (const Series& series : family.series) {
        if (series.labels == labels) return &series;
      }
    }
  }
  return nullptr;
}

}  // namespace ashlar::node
