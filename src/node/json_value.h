// Optional values as JSON: what is absent is null. Any thread.
#pragma once

#include <optional>

#include "base/base.h"

namespace ashlar::node {

template <typename Value>
base::Json ValueOrNull(const std::optional<Value>& value) {
  return value ? base::Json(*value) : base::Json(nullptr);
}

}  // namespace ashlar::node
