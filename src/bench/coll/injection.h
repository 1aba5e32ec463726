// Faults on purpose: a rank that is slow, hangs, dies or receives wrong data, for drills of those who must find it.
//
// A backend with faults wraps the real one on every rank of the run, so all make the same calls. Thread rules are those
// of CollectiveBackend.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "bench/coll/backend.h"

namespace ashlar::bench {

struct RankFault {
  enum class Kind { kSlow, kCorrupt, kHang, kCrash };
  int rank = 0;
  Kind kind = Kind::kSlow;
  double speed_left = 1;  // kSlow: bandwidth with the fault over bandwidth without
};

// "1:hang", "0:slow:0.4,2:corrupt": RANK:KIND and for slow the share of the speed that is left, above 0 and below 1.
// kInvalidArgument says what is wrong; an empty text is no fault.
base::StatusOr<std::vector<RankFault>> ParseRankFaults(std::string_view text);

// `inner` with the faults; just `inner` when there are none. Slow: a batch takes 1 / speed_left as long, since the rank
// comes late to the end of each. Hang and crash: in the third timed call of more than one
// element, so that there is a last completed step.
// Corrupt: one bit of whatever the rank reads back is wrong.
std::unique_ptr<CollectiveBackend> WithFaults(std::unique_ptr<CollectiveBackend> inner,
                                              const std::vector<RankFault>& faults);

}  // namespace ashlar::bench
