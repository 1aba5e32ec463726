#include "bench/storage/offset_sequence.h"

#include <gtest/gtest.h>

#include <vector>

namespace ashlar::bench {
namespace {

constexpr base::Bytes kBlock{4096};

TEST(OffsetSequenceTest, AFileOfNoBlockIsReadAsOne) {
  OffsetSequence sequential(AccessPattern::kSequential, kBlock, 0, 1);
  OffsetSequence random(AccessPattern::kRandom, kBlock, 0, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sequential.Next(), 0U);
    EXPECT_EQ(random.Next(), 0U);
  }
}

TEST(OffsetSequenceTest, SequentialGoesRound) {
  OffsetSequence offsets(AccessPattern::kSequential, kBlock, 3, 1);
  std::vector<uint64_t> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(offsets.Next());
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 4096, 8192, 0, 4096, 8192, 0}));
}

TEST(OffsetSequenceTest, TheSeedDecidesRandomOffsets) {
  OffsetSequence first(AccessPattern::kRandom, kBlock, 1000, 7);
  OffsetSequence again(AccessPattern::kRandom, kBlock, 1000, 7);
  OffsetSequence other(AccessPattern::kRandom, kBlock, 1000, 8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t offset = first.Next();
    EXPECT_EQ(again.Next(), offset);
    differs |= other.Next() != offset;
  }
  EXPECT_TRUE(differs);
}

// 100,000 draws over 100 blocks: 1,000 expected in each, standard deviation sqrt(100000 * 0.01 * 0.99) = 31.5; five of
// them are 158. The seed is fixed.
TEST(OffsetSequenceTest, RandomOffsetsAreWholeBlocksSpreadEvenly) {
  OffsetSequence offsets(AccessPattern::kRandom, kBlock, 100, 42);
  std::vector<int> hits(100, 0);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t offset = offsets.Next();
    ASSERT_EQ(offset % 4096, 0U);
    ASSERT_LT(offset / 4096, 100U);
    ++hits[offset / 4096];
  }
  for (int count : hits) EXPECT_NEAR(count, 1000, 158);
}

TEST(OffsetSequenceTest, ATebibyteFileIsReachedToItsEnd) {
  const uint64_t blocks = (uint64_t{1} << 40U) / 512;
  OffsetSequence offsets(AccessPattern::kRandom, base::Bytes{512}, blocks, 3);
  uint64_t largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, offsets.Next());
  EXPECT_LT(largest, uint64_t{1} << 40U);
  EXPECT_GT(largest, (uint64_t{1} << 40U) / 100 * 98);
}

}  // namespace
}  // namespace ashlar::bench
