// Data whose result is exactly predictable, for every type and reduction, and the search for what differs.
//
// Element i of rank r is f(i mod kPatternPeriod, r): small whole numbers, so that no order of summing rounds, and only
// as many ranks as the type can hold contribute. The period is prime: a block moved by any power of two shows. One
// period of the expected result is worked out on the host, the rest is comparing. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/coll/kinds.h"

namespace ashlar::bench {

inline constexpr size_t kPatternPeriod = 1009;

struct PatternSpec {
  DataType type = DataType::kFloat;
  std::optional<ReduceOp> op;  // none: the data is only moved
  int64_t ranks = 1;
  uint64_t seed = 0;  // another one each check, so that stale data is seen
};

// kPatternPeriod elements: what `rank` contributes.
std::vector<std::byte> Contribution(const PatternSpec& spec, int64_t rank);

// kPatternPeriod elements: the reduction over all ranks. `spec.op` must be set.
std::vector<std::byte> Reduced(const PatternSpec& spec);

// Writes the pattern from element `first` on over the whole buffer, a whole number of elements.
void FillRepeated(DataType type, std::span<const std::byte> period, uint64_t first, std::span<std::byte> buffer);

// How many elements of the buffer differ from the pattern from element `first` on.
uint64_t CountWrong(DataType type, std::span<const std::byte> period, uint64_t first,
                    std::span<const std::byte> buffer);

}  // namespace ashlar::bench
