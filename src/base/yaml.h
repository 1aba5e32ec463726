// YAML for configuration and for data/: read into JSON values, so that only one kind of tree is walked afterwards.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/status.h"

namespace ashlar::base {

// One YAML document as JSON. Plain scalars become null, true/false, integers or numbers by YAML 1.2's core schema,
// quoted ones stay text; aliases are copied. kInvalidArgument with line and column for bad YAML, a second document, a
// key that is no scalar, is "<<" or appears twice, an unknown tag, a number that JSON cannot hold; kResourceExhausted
// over kMaxYamlBytes, kMaxYamlDepth or kMaxYamlNodes.
StatusOr<Json> ParseYaml(std::string_view text);

}  // namespace ashlar::base
