#include "bench/coll/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::bench {
namespace {

TEST(Layout, CountsAndSizesAreThoseOfTheField) {
  struct Row {
    const char* name;
    Collective collective;
    DataType type;
    int64_t ranks;
    uint64_t requested;
    uint64_t count;
    uint64_t size;
  };
  // nccl-tests 2.19: sizes for blocks are rounded down to 16 bytes a rank, so 1 KiB over 3 ranks is 3 x 336; tables of
  // public runs show "0 0" rows for sizes below 16 bytes a rank.
  const Row rows[] = {
      {"whole message", Collective::kAllReduce, DataType::kFloat, 8, 1024, 256, 1024},
      {"not a whole element", Collective::kAllReduce, DataType::kDouble, 8, 12, 1, 8},
      {"too small", Collective::kBroadcast, DataType::kDouble, 8, 7, 0, 0},
      {"blocks", Collective::kAllGather, DataType::kFloat, 8, 1024, 32, 1024},
      {"blocks rounded", Collective::kAllToAll, DataType::kFloat, 3, 1024, 84, 1008},
      {"blocks of bytes rounded", Collective::kReduceScatter, DataType::kInt8, 3, 100, 32, 96},
      {"blocks too small", Collective::kGather, DataType::kFloat, 8, 64, 0, 0},
      {"an element of 16 bytes", Collective::kScatter, DataType::kLongDouble, 2, 64, 2, 64},
      {"an element over 16 bytes", Collective::kScatter, DataType::kLongDoubleInt, 2, 64, 1, 64},
      {"ring", Collective::kSendReceive, DataType::kFloat, 3, 1024, 256, 1024},
  };
  for (const Row& row : rows) {
    const MessagePlan plan = PlanMessage(row.collective, row.type, row.ranks, row.requested);
    EXPECT_EQ(plan.count, row.count) << row.name;
    EXPECT_EQ(plan.size_bytes, row.size) << row.name;
  }
}

TEST(Layout, BandwidthFollowsTheFieldsFormulas) {
  struct Row {
    Collective collective;
    uint64_t bytes;
    double microseconds;
    double algorithm;  // GB/s
    double bus;        // GB/s
  };
  // Rows of public nccl-tests logs with 8 ranks (A100): all_reduce 134217728 B in 1162.2 us, 115.49 and 202.11 GB/s;
  // alltoall 33554432 B in 237.5 us, 141.30 and 123.64; broadcast 8388608 B in 97.20 us, 86.30 and 86.30.
  const Row rows[] = {{Collective::kAllReduce, 134'217'728, 1162.2, 115.49, 202.11},
                      {Collective::kAllToAll, 33'554'432, 237.5, 141.30, 123.64},
                      {Collective::kBroadcast, 8'388'608, 97.20, 86.30, 86.30}};
  for (const Row& row : rows) {
    const MessagePlan plan = PlanMessage(row.collective, DataType::kFloat, 8, row.bytes);
    const Bandwidth bandwidth = BandwidthOf(plan, row.microseconds / 1e6);
    EXPECT_NEAR(bandwidth.algorithm_bytes_per_second / 1e9, row.algorithm, 0.03) << Info(row.collective).name;
    EXPECT_NEAR(bandwidth.bus_bytes_per_second / 1e9, row.bus, 0.04) << Info(row.collective).name;
  }
  const MessagePlan plan = PlanMessage(Collective::kAllReduce, DataType::kFloat, 2, 0);
  EXPECT_EQ(BandwidthOf(plan, 1).bus_bytes_per_second, 0);
  EXPECT_TRUE(std::isnan(BandwidthOf(plan, 0).algorithm_bytes_per_second));
}

TEST(Layout, SegmentsStayInsideTheirBuffers) {
  for (const CollectiveInfo& info : Collectives()) {
    for (const bool in_place : {false, true}) {
      const MessagePlan plan = PlanMessage(info.collective, DataType::kFloat, 3, 4096);
      for (int64_t rank = 0; rank < 3; ++rank) {
        const Placement placement{.rank = rank, .root = 1, .in_place = in_place};
        auto segments = InputSegments(plan, placement);
        const auto expected = ExpectedSegments(plan, placement);
        segments.insert(segments.end(), expected.begin(), expected.end());
        for (const Segment& segment : segments) {
          const uint64_t room = segment.buffer == BufferRole::kSend ? plan.send_elements : plan.receive_elements;
          EXPECT_LE(segment.offset + segment.count, room) << info.name << " rank " << rank << " " << in_place;
        }
      }
    }
  }
}

TEST(Layout, WhoHoldsWhat) {
  const auto plan = [](Collective collective) { return PlanMessage(collective, DataType::kFloat, 4, 1024); };
  // Only the root is checked after reduce and gather; sendrecv is a ring to the right, so rank 0 hears from the last.
  EXPECT_TRUE(ExpectedSegments(plan(Collective::kReduce), {.rank = 0, .root = 2}).empty());
  EXPECT_EQ(ExpectedSegments(plan(Collective::kReduce), {.rank = 2, .root = 2}).size(), 1U);
  EXPECT_EQ(ExpectedSegments(plan(Collective::kGather), {.rank = 2, .root = 2}).size(), 4U);
  EXPECT_EQ(ExpectedSegments(plan(Collective::kSendReceive), {.rank = 0}).front().contributor, 3);
  EXPECT_TRUE(InputSegments(plan(Collective::kScatter), {.rank = 1, .root = 0}).empty());
  EXPECT_EQ(ExpectedSegments(plan(Collective::kAllReduce), {.rank = 1}).front().contributor, std::nullopt);
  EXPECT_EQ(InputSegments(plan(Collective::kAllGather), {.rank = 3, .in_place = true}).front().offset, 3U * 64);
}

}  // namespace
}  // namespace ashlar::bench
