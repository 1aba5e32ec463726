// A page of shared memory on which the ranks of one machine note how far they are, so that whoever watches can name the
// one that hangs or died.
//
// Each rank writes only its own line; anyone may read all of them, from other threads and processes. All fields are
// atomics: a reader may see a text half old and half new for a moment, never anything that breaks it. The board is a
// file below /dev/shm or $TMPDIR, removed by the one who created it.
#pragma once

#include <absl/time/time.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::bench {

enum class RankState : uint32_t {
  kAbsent = 0,  // has not come yet
  kRunning = 1,
  kDone = 2,       // left in order
  kFailed = 3,     // left with an error of its own
  kTerminated = 4  // was told to end (SIGTERM, SIGINT)
};

// What a board says of one rank.
struct RankReport {
  int rank = 0;
  RankState state = RankState::kAbsent;
  pid_t pid = 0;
  uint64_t heartbeats = 0;
  uint64_t steps = 0;     // finished ones
  std::string step;       // what it is doing now
  std::string last_step;  // the last one it finished; "" when none
  std::string error;      // when kFailed
};

class ProgressBoard {
 public:
  // A fresh board for `ranks` ranks, in a new file.
  static base::StatusOr<std::unique_ptr<ProgressBoard>> Create(int ranks);
  // The board that another process created. kNotFound (another machine), kFailedPrecondition (no board of ours).
  static base::StatusOr<std::unique_ptr<ProgressBoard>> Open(const std::string& path);
  ~ProgressBoard();
  ProgressBoard(const ProgressBoard&) = delete;
  ProgressBoard& operator=(const ProgressBoard&) = delete;

  const std::string& path() const { return path_; }
  int ranks() const { return ranks_; }

  // For the rank itself. A rank outside the board is ignored.
  void Arrive(int rank, pid_t pid);
  void BeginStep(int rank, std::string_view step);  // the one before is finished
  void Beat(int rank);
  void Leave(int rank, RankState state, std::string_view error);
  // Where a signal handler may store kTerminated; nullptr when `rank` is not on the board.
  std::atomic<uint32_t>* StateOf(int rank);

  std::vector<RankReport> Read() const;

 private:
  struct Line;
  struct Page;
  ProgressBoard(std::string path, Page* page, size_t bytes, bool owner);

  std::string path_;
  Page* page_;
  size_t bytes_;
  bool owner_;
  int ranks_;
};

// Sees from readings of the board over time whether the run stands still, and who is to blame.
class StallWatch {
 public:
  StallWatch(absl::Duration stall_limit, absl::Duration silence) : stall_limit_(stall_limit), silence_(silence) {}

  // Takes a reading made at `now` (any monotonic time). True when no rank has finished a step for the stall limit, or
  // one has shown no sign of life for that long.
  bool Stalled(const std::vector<RankReport>& reports, absl::Duration now);

  // The ranks that hold the others up, and why, as one sentence: those without a sign of life; else those that lie
  // behind; else it says that all wait for each other. Uses the readings so far.
  std::string Blame(const std::vector<RankReport>& reports, absl::Duration now) const;

  // The ranks of that sentence, where it names some: none when all wait for each other.
  std::vector<int> BlamedRanks(const std::vector<RankReport>& reports, absl::Duration now) const;

  // The lowest rank that runs and shows signs of life; -1 when there is none.
  int FirstAlive(const std::vector<RankReport>& reports, absl::Duration now) const;

 private:
  struct Held {
    std::vector<RankReport> silent;
    std::vector<RankReport> behind;
    std::vector<RankReport> absent;
  };
  Held WhoHolds(const std::vector<RankReport>& reports, absl::Duration now) const;

  struct Seen {
    uint64_t heartbeats = 0;
    uint64_t steps = 0;
    absl::Duration beat_at;
    absl::Duration step_at;
  };
  absl::Duration stall_limit_;
  absl::Duration silence_;
  std::vector<Seen> seen_;
};

// "rank 1 (process 4711): all_reduce 64 KiB out of place; last finished: ...".
std::string Describe(const RankReport& report);

// Of ranks that all ended: those that left neither in order nor on request, as one sentence; "" when there is none.
std::string BlameTheDead(const std::vector<RankReport>& reports);
// The ranks that this sentence names.
std::vector<int> DeadRanks(const std::vector<RankReport>& reports);

}  // namespace ashlar::bench
