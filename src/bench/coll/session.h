// One rank's part in a run: the sweep over collectives, types, reductions, roots and sizes.
//
// Every rank runs the same Session over its own backend; rank 0 tells what comes out. One thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/arguments.h"
#include "bench/coll/backend.h"
#include "bench/coll/layout.h"
#include "bench/coll/limits.h"
#include "bench/coll/progress_board.h"
#include "bench/coll/report.h"

namespace ashlar::bench {

// What rank 0 tells while it runs.
enum class SessionEvent {
  kHeader,    // the document without rows
  kRow,       // one row
  kDocument,  // the finished document
};
using SessionListener = std::function<void(SessionEvent, const base::Json&)>;

struct SessionParts {
  CollectiveBackend* backend = nullptr;  // not owned, never null
  ProgressBoard* board = nullptr;        // not owned; may be null
  const base::Clock* clock = nullptr;    // not owned, never null
  SessionListener listener;              // called on rank 0 only
  base::Json environment;                // what the report says of the environment
  base::Json machine;                    // the machine's fingerprint
  base::Bytes memory_available;          // on this rank's machine; 0 when not known: no cap then
  std::string host;                      // this rank's machine
  absl::Duration settling = kSettlingTime;
};

class Session {
 public:
  Session(SessionParts parts, CollectiveOptions options, ArgumentValues arguments);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Runs the whole sweep. The documents on rank 0, none on the others. kInvalidArgument for a root that does not exist,
  // kResourceExhausted when not even the smallest size fits into memory, others as the backend's.
  base::StatusOr<std::vector<base::Json>> Run();

 private:
  struct Buffers;
  base::Status LearnPlaces();
  base::Status LimitSizes();
  base::Status MakeBuffers();
  base::Status RunCollective(Collective collective);
  base::Status RunCombination(Collective collective, const Combination& combination);
  base::Status RunSize(const MessagePlan& plan, const Combination& combination);
  base::StatusOr<base::Json> RunPlacement(const MessagePlan& plan, const CollectiveCall& call);
  base::Status ClearReceiveBuffer(const MessagePlan& plan);
  base::StatusOr<absl::Duration> PlacementLimit();
  base::StatusOr<absl::Duration> ElapsedEverywhere();
  void Step(const std::string& step);
  uint64_t BytesNeeded(uint64_t size) const;
  bool OutOfTime() const { return !missing_.empty(); }

  SessionParts parts_;
  CollectiveOptions options_;
  ArgumentValues arguments_;
  DocumentFacts facts_;
  std::vector<base::Json> documents_;
  base::JsonObject document_;
  std::unique_ptr<Buffers> buffers_;
  absl::Duration started_;
  int64_t placements_left_ = 0;
  int64_t local_ranks_ = 1;
  uint64_t checks_ = 0;
  std::string missing_;  // why sizes are missing
};

}  // namespace ashlar::bench
