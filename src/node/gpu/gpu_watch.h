// Asks a GPU library from a thread of its own, so that a driver that hangs holds up nobody.
//
// One thread a watch, started with the first request and never a second: while a call hangs, every request is refused
// with the call's name. The thread ends with the watch; one that hangs is left behind and ends when its call returns.
// A watch may be used by any thread.
#pragma once

#include <absl/time/time.h>

#include <memory>
#include <optional>
#include <string>

#include "base/base.h"
#include "node/gpu.h"

namespace ashlar::node {

// What came back last, and when it was asked for.
struct GpuReading {
  base::StatusOr<GpuInventory> inventory;
  absl::Duration asked_at;  // monotonic, by the watch's clock
};

struct GpuWatchOptions {
  GpuVendor vendor = GpuVendor::kNvidia;
  std::string library;
  const base::Clock* clock = &base::SystemClock();  // never null; asked in the caller's thread only
};

class GpuWatch {
 public:
  explicit GpuWatch(const GpuWatchOptions& options);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  // Asks for everything and waits for the answer. kDeadlineExceeded naming the call that runs, kUnavailable when an
  // earlier request still hangs, else as ReadGpus.
  base::StatusOr<GpuInventory> Read(absl::Duration deadline);

  // Starts a reading of the sensors when none runs, and waits for nothing. The library stays open between readings; it
  // is opened anew after an error.
  void StartSensors();

  // Copies the last finished reading into `reading`. kUnavailable when there is none yet, or the
  // one that runs is older than `patience`: it hangs, and the message names the call.
  base::Status Last(absl::Duration patience, std::optional<GpuReading>& reading) const;

  // Waits until no reading runs. False when `deadline` passes first.
  bool WaitUntilIdle(absl::Duration deadline) const;

 private:
  struct State;
  // False when a reading runs already.
  bool Start(bool sensors_only);

  // Shared with the thread: the state must outlive whoever is left behind, the watch or a hung thread.
  std::shared_ptr<State> state_;
};

}  // namespace ashlar::node
