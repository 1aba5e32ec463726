// Writes one source's values into its sample: counters with their rates, gauges, and absence for what is not written.
//
// For the one thread that samples. The sample must outlive a Begin()/write round.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "node/sensors.h"
#include "node/sensors/counter.h"

namespace ashlar::node {

// One family as a sensor declares it.
struct FamilyPlan {
  std::string_view name;
  std::string_view help;
  SeriesType type = SeriesType::kGauge;
  double scale = 1;  // raw value times scale is the exposed value
  CounterKind kind = CounterKind::k64Bit;
};

class SeriesBoard {
 public:
  // Adds a family to `sample`; its number.
  size_t AddFamily(SourceSample& sample, const FamilyPlan& plan);
  // Adds a series to a family; its number within the family.
  size_t AddSeries(SourceSample& sample, size_t family, std::string labels);
  // Adds one series with the same labels to each family; its number, equal in all of them.
  size_t AddToAll(SourceSample& sample, const std::string& labels);

  // Starts a sample: everything is absent until it is written. `now` is monotonic.
  void Begin(SourceSample& sample, absl::Duration now);
  void SetGauge(SourceSample& sample, size_t family, size_t series, double raw) const;
  void SetCounter(SourceSample& sample, size_t family, size_t series, uint64_t raw);

 private:
  struct Counter {
    bool known = false;
    uint64_t raw = 0;
    absl::Duration at;
  };
  struct Family {
    double scale = 1;
    CounterKind kind = CounterKind::k64Bit;
    std::vector<Counter> counters;  // one for each series
  };
  std::vector<Family> families_;
  absl::Duration now_;
};

// `name="value"` with the exposition format's escapes.
std::string Label(std::string_view name, std::string_view value);

}  // namespace ashlar::node
