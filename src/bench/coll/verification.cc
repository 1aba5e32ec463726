#include "bench/coll/verification.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "bench/coll/pattern.h"

namespace ashlar::bench {
namespace {

constexpr size_t kChunkElements = kPatternPeriod * 64;
constexpr auto kPoison = std::byte{0xA5};

class Verification {
 public:
  Verification(CollectiveBackend& backend, const MessagePlan& plan, const CollectiveCall& call, uint64_t seed)
      : backend_(backend),
        plan_(plan),
        call_(call),
        element_bytes_(Info(plan.type).size_bytes),
        chunk_(kChunkElements * element_bytes_) {
    spec_ = {.type = plan.type, .op = std::nullopt, .ranks = plan.ranks, .seed = seed};
    if (Info(plan.collective).reduces) spec_.op = call.op;
  }

  base::Status Fill(const std::vector<Segment>& segments) {
    // What is left of an earlier run must not pass for a result.
    ASHLAR_RETURN_IF_ERROR(Poison());
    for (const Segment& segment : segments) {
      const std::vector<std::byte>& period = PeriodOf(segment);
      ASHLAR_RETURN_IF_ERROR(ForEachChunk(segment, [&](uint64_t first, uint64_t offset, std::span<std::byte> chunk) {
        FillRepeated(plan_.type, period, first, chunk);
        return backend_.WriteBuffer(Buffer(segment), offset, chunk);
      }));
    }
    return base::OkStatus();
  }

  base::StatusOr<uint64_t> Count(const std::vector<Segment>& segments) {
    uint64_t wrong = 0;
    for (const Segment& segment : segments) {
      const std::vector<std::byte>& period = PeriodOf(segment);
      ASHLAR_RETURN_IF_ERROR(ForEachChunk(segment, [&](uint64_t first, uint64_t offset, std::span<std::byte> chunk) {
        base::Status read = backend_.ReadBuffer(Buffer(segment), offset, chunk);
        if (read.ok()) wrong += CountWrong(plan_.type, period, first, chunk);
        return read;
      }));
    }
    return wrong;
  }

 private:
  void* Buffer(const Segment& segment) const {
    return segment.buffer == BufferRole::kSend ? call_.send : call_.receive;
  }

  const std::vector<std::byte>& PeriodOf(const Segment& segment) {
    constexpr int64_t kReducedKey = -1;
    const int64_t key = segment.contributor.value_or(kReducedKey);
    auto& period = periods_[key];
    if (period.empty()) period = key == kReducedKey ? Reduced(spec_) : Contribution(spec_, key);
    return period;
  }

  base::Status Poison() {
    std::fill(chunk_.begin(), chunk_.end(), kPoison);
    const uint64_t total = plan_.receive_elements * element_bytes_;
    for (uint64_t at = 0; at < total; at += chunk_.size()) {
      const auto length = static_cast<size_t>(std::min<uint64_t>(chunk_.size(), total - at));
      ASHLAR_RETURN_IF_ERROR(backend_.WriteBuffer(call_.receive, at, std::span(chunk_).first(length)));
    }
    return base::OkStatus();
  }

  // Calls `work(first element of the pattern, offset in bytes, room)` over the segment.
  template <typename Work>
  base::Status ForEachChunk(const Segment& segment, const Work& work) {
    for (uint64_t done = 0; done < segment.count; done += kChunkElements) {
      const auto elements = static_cast<size_t>(std::min<uint64_t>(kChunkElements, segment.count - done));
      ASHLAR_RETURN_IF_ERROR(work(segment.first + done, (segment.offset + done) * element_bytes_,
                                  std::span(chunk_).first(elements * element_bytes_)));
    }
    return base::OkStatus();
  }

  CollectiveBackend& backend_;
  const MessagePlan& plan_;
  const CollectiveCall& call_;
  const size_t element_bytes_;
  std::vector<std::byte> chunk_;
  PatternSpec spec_;
  std::map<int64_t, std::vector<std::byte>> periods_;
};

}  // namespace

base::StatusOr<uint64_t> CountWrongResults(CollectiveBackend& backend, const MessagePlan& plan,
                                           const CollectiveCall& call, uint64_t seed) {
  const Placement placement{.rank = backend.rank(), .root = call.root, .in_place = call.in_place};
  Verification verification(backend, plan, call, seed);
  ASHLAR_RETURN_IF_ERROR(verification.Fill(InputSegments(plan, placement)));
  double unused = 0;
  ASHLAR_RETURN_IF_ERROR(backend.Time(call, 1, std::span(&unused, 1)));
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t mine, verification.Count(ExpectedSegments(plan, placement)));
  const auto number = static_cast<double>(mine);
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<double> all, backend.ShareNumbers(std::span(&number, 1)));
  double total = 0;
  for (const double each : all) total += each;
  return static_cast<uint64_t>(total);
}

}  // namespace ashlar::bench
