// What is not as it was: the newest measurement of each kind against the one before it.
#pragma once

#include <string>
#include <vector>

#include "assess/evidence.h"

namespace ashlar::assess {

// One thing that is not as it was in the scorecard or the measurement before.
struct Change {
  std::string what;  // consideration id, check id, or "all_reduce peak bus bandwidth"
  std::string before;
  std::string after;
  bool worse = false;
};

base::Json ChangeToJson(const Change& change);

// Health checks whose verdict changed, collectives whose peak bus bandwidth and storage runs whose bandwidth moved by
// more than the tolerance of data/assess/tolerances.yaml. Only runs on an equal machine are compared. Entries that
// are malformed give no change: considerations report them.
std::vector<Change> MeasuredChanges(const Evidence& evidence);

}  // namespace ashlar::assess
