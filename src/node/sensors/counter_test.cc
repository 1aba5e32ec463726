#include "node/sensors/counter.h"

#include <gtest/gtest.h>

#include <string_view>

namespace ashlar::node {
namespace {

constexpr uint64_t kTop32 = 4'294'967'295;                // 2^32 - 1
constexpr uint64_t kTop64 = 18'446'744'073'709'551'615U;  // 2^64 - 1

TEST(CounterDeltaTest, KnowsWrapsFromResets) {
  struct Row {
    std::string_view name;
    uint64_t previous;
    uint64_t now;
    CounterKind kind;
    std::optional<uint64_t> delta;
  };
  const Row rows[] = {
      {"goes on", 10, 15, CounterKind::k64Bit, 5},
      {"stands", 10, 10, CounterKind::k64Bit, 0},
      {"from nothing to everything", 0, kTop64, CounterKind::k64Bit, kTop64},
      {"a reset is no spike of 2^64", 1'000'000, 5, CounterKind::k64Bit, std::nullopt},
      {"64 bits do not wrap in the life of a machine", kTop64, 0, CounterKind::k64Bit, std::nullopt},
      {"wraps at 32 bits", kTop32, 0, CounterKind::k32Bit, 1},
      {"wraps at 32 bits, further on", kTop32 - 9, 10, CounterKind::k32Bit, 20},
      {"a reset from a small value", 1'000'000, 5, CounterKind::k32Bit, std::nullopt},
      {"half of the range back is a reset", 2'147'483'648, 0, CounterKind::k32Bit, std::nullopt},
      {"a little less than half of the range is a wrap", 2'147'483'649, 0, CounterKind::k32Bit, 2'147'483'647},
      {"beyond 32 bits nothing wraps", kTop32 + 1, 0, CounterKind::k32Bit, std::nullopt},
      {"goes on beyond 32 bits", kTop32, kTop32 + 5, CounterKind::k32Bit, 5},
      {"steps back by 3 s", 1000, 700, CounterKind::kStepsBack, 0},
      {"falls by more", 1000, 699, CounterKind::kStepsBack, std::nullopt},
      {"steps on", 1000, 1001, CounterKind::kStepsBack, 1},
  };
  for (const Row& row : rows) EXPECT_EQ(CounterDelta(row.previous, row.now, row.kind), row.delta) << row.name;
}

}  // namespace
}  // namespace ashlar::node
