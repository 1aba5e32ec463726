// Ranks that are threads of one process: every collective by plain copying, with times and faults as a test wants them.
//
// A ThreadWorld outlives its backends; each backend belongs to one thread.
#pragma once

#include <barrier>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/coll/backend.h"

namespace ashlar::bench {

struct ThreadFaults {
  // Flips bits of this rank's result, in each operation; -1 leaves all ranks right.
  int corrupt_rank = -1;
  uint64_t corrupt_element = 0;
  base::Status time_error;  // what Time returns on every rank
  bool no_memory = false;   // AllocateBuffer fails on rank 0
};

class ThreadWorld {
 public:
  // `seconds_of` gives the time of one operation in the n-th batch since the start (the same on all ranks).
  using SecondsOf = std::function<double(const CollectiveCall&, int64_t batch)>;
  ThreadWorld(int ranks, SecondsOf seconds_of, ThreadFaults faults = {});

  std::unique_ptr<CollectiveBackend> Backend(int rank);
  // Runs `work` on a thread for each rank, and waits for all.
  void Run(const std::function<void(CollectiveBackend&)>& work);
  // Operations that rank 0 ran so far, timed or not.
  int64_t operations() const { return operations_; }

 private:
  friend class ThreadBackend;
  struct Slot {
    CollectiveCall call;
    std::vector<double> numbers;
    std::string text;
  };
  int ranks_;
  SecondsOf seconds_of_;
  ThreadFaults faults_;
  std::barrier<> barrier_;
  std::vector<Slot> slots_;
  int64_t operations_ = 0;
};

}  // namespace ashlar::bench
