// SIGINT and SIGTERM as a stop token.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>

#include "base/base.h"

namespace ashlar::os {

// From construction on, the first SIGINT or SIGTERM requests a stop on token(); the second ends the process at once
// with 128 + signal. One at a time; construct it in the main thread before other threads start, so that all of them
// leave the signals to it. SIGPIPE is ignored from construction on. Destruction puts everything back as it was.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  // The signal that asked, 0 while none has.
  int signal() const { return signal_.load(); }

 private:
  struct Watcher;  // the thread that waits for the signals

  std::stop_source source_;
  std::atomic<int> signal_{0};
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace ashlar::os
