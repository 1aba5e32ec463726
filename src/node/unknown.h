// What could not be read, and why. A field that is absent always has its line here; absence is never a pass.
//
// Plain values; any thread may call these on its own list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

struct Unknown {
  std::string field;   // dotted path as in the JSON: "cpu.model", "gpus.0.power_watts"
  std::string reason;  // what happened, and what to do
};

using Unknowns = std::vector<Unknown>;

// Adds `field` with the message of `status`, which must not be OK.
void AddUnknown(Unknowns& unknowns, std::string_view field, const base::Status& status);

// Adds the lines of `inner` below `prefix`: "state" becomes "rdma.mlx5_0.ports.1.state".
void AddUnknowns(Unknowns& unknowns, std::string_view prefix, const Unknowns& inner);

// [{"field": ..., "reason": ...}]
base::Json UnknownsToJson(const Unknowns& unknowns);

}  // namespace ashlar::node
