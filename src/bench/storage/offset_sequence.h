// Where the next operation goes: one block after the other, round and round, or anywhere in the file at random.
//
// Random offsets are drawn with replacement, as fio's norandommap does. One thread.
#pragma once

#include <cstdint>

#include "bench/storage/options.h"

namespace ashlar::bench {

class OffsetSequence {
 public:
  // `blocks`: how many whole blocks the file holds, at least 1. The same seed gives the same sequence.
  OffsetSequence(AccessPattern pattern, base::Bytes block, uint64_t blocks, uint64_t seed);

  // Offset in bytes of the next operation, a multiple of the block.
  uint64_t Next();

 private:
  AccessPattern pattern_;
  uint64_t block_bytes_;
  uint64_t blocks_;
  uint64_t next_ = 0;
  uint64_t state_;
};

}  // namespace ashlar::bench
