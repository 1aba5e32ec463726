#include "base/id.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

namespace ashlar::base {

std::string NewId(absl::Time now) {
  uint64_t random = 0;
  // Eight bytes never block or come short once the kernel is seeded (getrandom(2)).
  if (getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) std::abort();
  return fmt::format("{}-{:016x}", absl::FormatTime("%Y%m%dT%H%M%S", now, absl::UTCTimeZone()), random);
}

}  // namespace ashlar::base
