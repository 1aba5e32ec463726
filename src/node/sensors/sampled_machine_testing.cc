#include "node/sensors/sampled_machine_testing.h"

#include <cstdio>
#include <cstdlib>

#include "node/fake_driver_testing.h"

namespace ashlar::node {
namespace {

base::StatusOr<FilesystemSpace> FixedSpace(const std::string&) { return FilesystemSpace{1000, 600, 500, 100, 40}; }

}  // namespace

SampledMachine::SampledMachine(FakeTree given) : tree(std::move(given)) {
  sources.system = tree.reader();
  sources.gpus = NoGpuSources();
  sources.space = FixedSpace;
  sources.clock = &clock;
}

const SourceSample& SourceOf(const Sample& sample, std::string_view name) {
  for (const SourceSample& source : sample.sources) {
    if (source.name == name) return source;
  }
  std::fprintf(stderr, "sampled machine: no source %s\n", std::string(name).c_str());
  std::abort();
}

double ValueOf(const Sample& sample, std::string_view name, std::string_view labels) {
  const Series* series = FindSeries(sample, name, labels);
  return series == nullptr ? kAbsent : series->value;
}

double RateOf(const Sample& sample, std::string_view name, std::string_view labels) {
  const Series* series = FindSeries(sample, name, labels);
  return series == nullptr ? kAbsent : series->rate;
}

bool HasSeries(const Sample& sample, std::string_view name, std::string_view labels) {
  return FindSeries(sample, name, labels) != nullptr;
}

}  // namespace ashlar::node
