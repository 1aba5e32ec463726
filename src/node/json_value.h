// Values as JSON: what is absent is null, and text that is not UTF-8 (a mount point may hold any byte) is made so. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/base.h"

namespace ashlar::node {

inline base::Json ToJson(std::string_view text) { return base::Json(base::Utf8Text(text)); }

// A whole number up to 2^53, beyond that the nearest floating-point one: RFC 8785 has no larger integers, and a fast
// port counts past them within days.
inline base::Json ToJson(uint64_t count) {
  constexpr uint64_t kLargestExact = uint64_t{1} << 53U;
  return count <= kLargestExact ? base::Json(count) : base::Json(static_cast<double>(count));
}

template <typename Value>
base::Json ValueOrNull(const std::optional<Value>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, uint64_t>) {
    return ToJson(*value);
  } else {
    return base::Json(*value);
  }
}

}  // namespace ashlar::node
