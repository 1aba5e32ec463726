#include "bench/storage/offset_sequence.h"

namespace ashlar::bench {

OffsetSequence::OffsetSequence(AccessPattern pattern, base::Bytes block, uint64_t blocks, uint64_t seed)
    : pattern_(pattern), block_bytes_(block.count), blocks_(blocks == 0 ? 1 : blocks), state_(seed) {}

uint64_t OffsetSequence::Next() {
  if (pattern_ == AccessPattern::kSequential) {
    const uint64_t offset = next_ * block_bytes_;
    next_ = next_ + 1 == blocks_ ? 0 : next_ + 1;
    return offset;
  }
  // SplitMix64 (Steele, Lea, Flood 2014); the high half of the product maps to the range without division.
  state_ += 0x9e3779b97f4a7c15U;
  uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  mixed ^= mixed >> 31U;
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(mixed) * blocks_) >> 64U) * block_bytes_;
}

}  // namespace ashlar::bench
