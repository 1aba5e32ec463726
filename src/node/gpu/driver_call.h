// Calls into a GPU driver: marked while they run, refused when the symbol is missing, and their answers weighed before
// anybody believes them. For the one thread that uses the library.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "node/gpu/gpu_library.h"

namespace ashlar::node {

// Leaves `name` in `current` for as long as it lives. `name` is a literal: the watcher reads it at any time.
class CallMark {
 public:
  CallMark(CurrentCall& current, const char* name) : current_(current) { current_.store(name); }
  ~CallMark() { current_.store(nullptr); }
  CallMark(const CallMark&) = delete;
  CallMark& operator=(const CallMark&) = delete;

 private:
  CurrentCall& current_;
};

// Calls `function` and turns its code into a status by `to_status`. kUnimplemented when the library lacks it.
template <typename ToStatus, typename Function, typename... Args>
base::Status CallDriver(CurrentCall& current, const char* name, ToStatus to_status, Function* function,
                        Args... arguments) {
  if (function == nullptr) {
    return base::Error(base::StatusCode::kUnimplemented, "{}: this driver's library does not have it", name);
  }
  const CallMark mark(current, name);
  return to_status(name, function(arguments...));
}

// What a driver may say at most before it is not believed.
inline constexpr uint32_t kHighestClockMhz = 100'000;
inline constexpr double kHighestWatts = 100'000;
inline constexpr double kHighestCelsius = 200;

inline base::Status Implausible(std::string_view call, std::string_view answer) {
  return base::Error(base::StatusCode::kDataLoss, "{} answered {}, which cannot be; the value is dropped", call,
                     answer);
}

// A 32-bit answer; an error when the call failed, the value is blank or above `highest`.
inline base::StatusOr<uint32_t> Plausible32(std::string_view call, const base::Status& status, uint32_t value,
                                            uint32_t highest) {
  ASHLAR_RETURN_IF_ERROR(status);
  if (IsBlank32(value) || value > highest) return Implausible(call, fmt::format("{:#x}", value));
  return value;
}

inline base::StatusOr<uint64_t> Plausible64(std::string_view call, const base::Status& status, uint64_t value) {
  ASHLAR_RETURN_IF_ERROR(status);
  if (IsBlank64(value)) return Implausible(call, fmt::format("{:#x}", value));
  return value;
}

// Puts the value into `field`, or leaves it absent with a line in `unknowns`.
template <typename Value, typename Field>
void Keep(Unknowns& unknowns, std::string_view name, const base::StatusOr<Value>& value, std::optional<Field>& field) {
  field.reset();
  if (value.ok()) {
    field = static_cast<Field>(*value);
  } else {
    AddUnknown(unknowns, name, value.status());
  }
}

}  // namespace ashlar::node
