// Quantities with their units. GB is 10^9 bytes, GiB is 2^30 bytes; a number never travels without its unit.
//
// Durations are absl::Duration, instants absl::Time. Any thread may call these.
#pragma once

#include <absl/time/time.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ashlar::base {

// A count of bytes, never negative.
struct Bytes {
  uint64_t count = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

// A rate in bytes per second; not a number when it could not be measured.
struct BytesPerSecond {
  double rate = 0;
  friend auto operator<=>(const BytesPerSecond&, const BytesPerSecond&) = default;
};

inline constexpr uint64_t kKiB = uint64_t{1} << 10U;
inline constexpr uint64_t kMiB = uint64_t{1} << 20U;
inline constexpr uint64_t kGiB = uint64_t{1} << 30U;

// A size as nccl-tests reads it: a non-negative number, fraction allowed, and at most one letter K, M, G or T of any
// case, powers of 1024. kInvalidArgument for any other tail, a sign, an overflow or an empty text.
// Source: NVIDIA/nccl-tests, parsesize() in src/common.cu; T is our addition.
StatusOr<Bytes> ParseSize(std::string_view text);

// A duration written as absl does ("90s", "1h30m", "250ms"). kInvalidArgument otherwise, when negative or
// without end.
StatusOr<absl::Duration> ParseDuration(std::string_view text);

// "512 B", "64 KiB", "1.5 GiB": powers of 1024, at most one decimal.
std::string HumanBytes(Bytes bytes);

// "3.42 GB/s", "812 MB/s": powers of 1000, three significant digits; "unknown" when not a number.
std::string HumanRate(BytesPerSecond rate);

// "18.2 µs", "3.1 ms", "2.5 s", "3 min 5 s", "2 h 4 min", "0 s", "forever": three digits below a minute.
std::string HumanDuration(absl::Duration duration);

// "2026-01-02 03:04:05 UTC", for people.
std::string HumanTime(absl::Time time);

// RFC 3339 in UTC with microseconds: "2026-01-02T03:04:05.000006Z".
std::string Rfc3339(absl::Time time);

// What Rfc3339 wrote; also other fractions of a second and offsets ("+02:00"). kInvalidArgument otherwise.
StatusOr<absl::Time> ParseRfc3339(std::string_view text);

}  // namespace ashlar::base
