// Where the data of each collective lies before and after: counts, bytes, bandwidth, in-place rules.
//
// Counts and rounding follow nccl-tests (a0b82b2): collectives that move one block per rank take a size that is divided
// by the ranks and rounded down to a whole multiple of 16 bytes. No state; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/coll/kinds.h"

namespace ashlar::bench {

// One row of a sweep, made concrete.
struct MessagePlan {
  Collective collective = Collective::kAllReduce;
  DataType type = DataType::kFloat;
  int64_t ranks = 1;
  uint64_t count = 0;             // elements: the "count" column; per block where there are blocks
  uint64_t size_bytes = 0;        // the "size" column: the larger of what a rank sends and receives
  uint64_t send_elements = 0;     // that the send buffer must hold
  uint64_t receive_elements = 0;  // that the receive buffer must hold, in-place runs included
};

// The plan for a message of about `requested_bytes`. Never fails: too small a size gives count 0.
MessagePlan PlanMessage(Collective collective, DataType type, int64_t ranks, uint64_t requested_bytes);

// GB/s of the field are 10^9 bytes per second; here bytes per second. Source: nccl-tests doc/PERFORMANCE.md.
// 0 when the message is empty; not a number when `seconds` is not positive.
struct Bandwidth {
  double algorithm_bytes_per_second = 0;
  double bus_bytes_per_second = 0;
};
Bandwidth BandwidthOf(const MessagePlan& plan, double seconds);

enum class BufferRole { kSend, kReceive };

// A run of elements and whose pattern it holds.
struct Segment {
  BufferRole buffer = BufferRole::kSend;
  uint64_t offset = 0;                 // elements
  uint64_t count = 0;                  // elements
  std::optional<int64_t> contributor;  // the rank whose data this is; none: the reduction over all ranks
  uint64_t first = 0;                  // element of the pattern that stands at `offset`
};

struct Placement {
  int64_t rank = 0;
  int64_t root = 0;
  bool in_place = false;
};

// What `placement.rank` must hold before the collective, and afterwards. Elements not named may hold anything.
std::vector<Segment> InputSegments(const MessagePlan& plan, const Placement& placement);
std::vector<Segment> ExpectedSegments(const MessagePlan& plan, const Placement& placement);

}  // namespace ashlar::bench
