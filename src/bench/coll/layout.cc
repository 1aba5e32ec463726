#include "bench/coll/layout.h"

#include <algorithm>
#include <limits>

namespace ashlar::bench {
namespace {

constexpr uint64_t kBlockAlignmentBytes = 16;
constexpr uint64_t kBlockShift = 37;  // blocks start at different elements of the pattern

bool MovesBlocks(Collective collective) {
  switch (collective) {
    case Collective::kAllGather:
    case Collective::kReduceScatter:
    case Collective::kAllToAll:
    case Collective::kGather:
    case Collective::kScatter: return true;
    default: return false;
  }
}

uint64_t BlockCount(uint64_t elements, uint64_t ranks, uint64_t element_bytes) {
  const uint64_t multiple = std::max<uint64_t>(1, kBlockAlignmentBytes / element_bytes);
  return elements / ranks / multiple * multiple;
}

// One segment for each rank's block; `contributor` and `first` of block b come from `describe(b)`.
template <typename Describe>
std::vector<Segment> Blocks(const MessagePlan& plan, BufferRole buffer, const Describe& describe) {
  std::vector<Segment> segments;
  for (int64_t block = 0; block < plan.ranks; ++block) {
    Segment segment = describe(block);
    segment.buffer = buffer;
    segment.offset = static_cast<uint64_t>(block) * plan.count;
    segment.count = plan.count;
    segments.push_back(segment);
  }
  return segments;
}

uint64_t ShiftOf(int64_t block) { return static_cast<uint64_t>(block) * kBlockShift; }

Segment Whole(const MessagePlan& plan, BufferRole buffer, std::optional<int64_t> contributor, uint64_t first = 0) {
  return {.buffer = buffer, .offset = 0, .count = plan.count, .contributor = contributor, .first = first};
}

}  // namespace

MessagePlan PlanMessage(Collective collective, DataType type, int64_t ranks, uint64_t requested_bytes) {
  const uint64_t element_bytes = Info(type).size_bytes;
  const auto blocks = static_cast<uint64_t>(ranks);
  MessagePlan plan{.collective = collective, .type = type, .ranks = ranks};
  plan.count = requested_bytes / element_bytes;
  plan.send_elements = plan.count;
  plan.receive_elements = plan.count;
  if (MovesBlocks(collective)) {
    plan.count = BlockCount(plan.count, blocks, element_bytes);
    const bool sends_one = collective == Collective::kAllGather || collective == Collective::kGather;
    plan.send_elements = sends_one ? plan.count : plan.count * blocks;
    // In place the input of reduce_scatter and the blocks of gather lie in the receive buffer.
    plan.receive_elements = collective == Collective::kScatter ? plan.count : plan.count * blocks;
  }
  plan.size_bytes = (MovesBlocks(collective) ? plan.count * blocks : plan.count) * element_bytes;
  return plan;
}

Bandwidth BandwidthOf(const MessagePlan& plan, double seconds) {
  if (!(seconds > 0)) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none};
  }
  const auto ranks = static_cast<double>(plan.ranks);
  const double algorithm = static_cast<double>(plan.size_bytes) / seconds;
  double factor = 1;
  if (plan.collective == Collective::kAllReduce) factor = 2 * (ranks - 1) / ranks;
  if (MovesBlocks(plan.collective)) factor = (ranks - 1) / ranks;
  return {algorithm, algorithm * factor};
}

std::vector<Segment> InputSegments(const MessagePlan& plan, const Placement& placement) {
  const int64_t rank = placement.rank;
  const bool root = rank == placement.root;
  const BufferRole own = placement.in_place ? BufferRole::kReceive : BufferRole::kSend;
  const auto to_each = [rank](int64_t block) { return Segment{.contributor = rank, .first = ShiftOf(block)}; };
  Segment mine = Whole(plan, own, rank);
  switch (plan.collective) {
    case Collective::kAllGather:
    case Collective::kGather:
      if (placement.in_place) mine.offset = static_cast<uint64_t>(rank) * plan.count;
      return {mine};
    case Collective::kReduceScatter:
    case Collective::kAllToAll: return Blocks(plan, own, to_each);
    case Collective::kScatter: return root ? Blocks(plan, BufferRole::kSend, to_each) : std::vector<Segment>{};
    case Collective::kBroadcast: return root ? std::vector<Segment>{mine} : std::vector<Segment>{};
    default: return {mine};
  }
}

std::vector<Segment> ExpectedSegments(const MessagePlan& plan, const Placement& placement) {
  const int64_t rank = placement.rank;
  const bool root = rank == placement.root;
  const auto from_each = [](int64_t block) { return Segment{.contributor = block, .first = 0}; };
  switch (plan.collective) {
    case Collective::kAllReduce: return {Whole(plan, BufferRole::kReceive, std::nullopt)};
    case Collective::kReduceScatter: return {Whole(plan, BufferRole::kReceive, std::nullopt, ShiftOf(rank))};
    case Collective::kReduce:
      if (!root) return {};
      return {Whole(plan, BufferRole::kReceive, std::nullopt)};
    case Collective::kBroadcast:
      // Out of place the root's data stays in its send buffer: MPI_Bcast has one buffer.
      return {Whole(plan, root && !placement.in_place ? BufferRole::kSend : BufferRole::kReceive, placement.root)};
    case Collective::kAllGather: return Blocks(plan, BufferRole::kReceive, from_each);
    case Collective::kGather: return root ? Blocks(plan, BufferRole::kReceive, from_each) : std::vector<Segment>{};
    case Collective::kAllToAll:
      return Blocks(plan, BufferRole::kReceive,
                    [rank](int64_t block) { return Segment{.contributor = block, .first = ShiftOf(rank)}; });
    case Collective::kScatter:
      if (root && placement.in_place) return {};  // its own block never moves
      return {Whole(plan, BufferRole::kReceive, placement.root, ShiftOf(rank))};
    case Collective::kSendReceive: return {Whole(plan, BufferRole::kReceive, (rank + plan.ranks - 1) % plan.ranks)};
  }
  return {};
}

}  // namespace ashlar::bench
