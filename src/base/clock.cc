#include "base/clock.h"

#include <absl/time/clock.h>

#include <ctime>

namespace ashlar::base {
namespace {

class MachineClock : public Clock {
 public:
  absl::Time Now() const override { return absl::Now(); }
  absl::Duration Monotonic() const override {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return absl::DurationFromTimespec(now);
  }
};

}  // namespace

const Clock& SystemClock() {
  static const MachineClock clock;
  return clock;
}

absl::Time FakeClock::Now() const {
  const MutexLock lock(mutex_);
  return now_;
}

absl::Duration FakeClock::Monotonic() const {
  const MutexLock lock(mutex_);
  return monotonic_;
}

void FakeClock::Advance(absl::Duration by) {
  const MutexLock lock(mutex_);
  now_ += by;
  monotonic_ += by;
}

void FakeClock::Step(absl::Duration by) {
  const MutexLock lock(mutex_);
  now_ += by;
}

}  // namespace ashlar::base
