// How far a measurement may fall below its baseline, from data/assess/tolerances.yaml.
#pragma once

#include <string_view>

#include "base/base.h"

namespace ashlar::assess {

// The share (0.25 for a quarter) under `name`; kNotFound or kInvalidArgument when the data does not say.
base::StatusOr<double> ToleranceOf(std::string_view name);

}  // namespace ashlar::assess
