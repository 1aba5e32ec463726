// A machine as files, with a clock moved by hand and a sampler's sources that read it, for tests of sensors.
//
// One thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "node/fake_tree_testing.h"
#include "node/sensors.h"

namespace ashlar::node {

struct SampledMachine {
  // No GPU libraries, and every file system with 1000 bytes and 100 files.
  explicit SampledMachine(FakeTree given);
  SampledMachine(const SampledMachine&) = delete;
  SampledMachine& operator=(const SampledMachine&) = delete;

  FakeTree tree;
  base::FakeClock clock{absl::FromUnixSeconds(1'760'000'500)};
  SamplerSources sources;
};

// The source of that name; the test ends when there is none.
const SourceSample& SourceOf(const Sample& sample, std::string_view name);

// Value and rate of a series; not a number when it is absent, and also when there is no such series: HasSeries tells.
double ValueOf(const Sample& sample, std::string_view name, std::string_view labels = "");
double RateOf(const Sample& sample, std::string_view name, std::string_view labels = "");
bool HasSeries(const Sample& sample, std::string_view name, std::string_view labels = "");

}  // namespace ashlar::node
