// The clock comes in through the constructor: SystemClock() in the program, FakeClock in tests.
#pragma once

#include <absl/time/time.h>

#include "base/mutex.h"

namespace ashlar::base {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual absl::Time Now() const = 0;            // wall clock, may jump
  virtual absl::Duration Monotonic() const = 0;  // since an arbitrary start, never goes back
};

// The machine's clock; lives as long as the program; any thread may use it.
const Clock& SystemClock();

// Stands still until it is told to move. Any thread may use it.
class FakeClock : public Clock {
 public:
  explicit FakeClock(absl::Time start) : now_(start) {}
  absl::Time Now() const override;
  absl::Duration Monotonic() const override;
  void Advance(absl::Duration by);
  // Moves the wall clock alone, as an operator or a time server would.
  void Step(absl::Duration by);

 private:
  mutable Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
  absl::Duration monotonic_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ashlar::base
