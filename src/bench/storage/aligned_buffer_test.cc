#include "bench/storage/aligned_buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <utility>

namespace ashlar::bench {
namespace {

TEST(AlignedBufferTest, NothingAndTooMuchAreRefused) {
  EXPECT_EQ(AlignedBuffer::Create(0).status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(AlignedBuffer::Create(size_t{1} << 62U).status().code(), base::StatusCode::kResourceExhausted);
}

TEST(AlignedBufferTest, IsPageAlignedAndFilledToTheEnd) {
  auto buffer = AlignedBuffer::Create(10'001);
  ASSERT_TRUE(buffer.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 4096, 0U);
  EXPECT_EQ(buffer->size(), 10'001U);
  // No run of 16 equal bytes: nothing there for a compressor.
  size_t run = 1;
  for (size_t i = 1; i < buffer->size(); ++i) {
    run = buffer->data()[i] == buffer->data()[i - 1] ? run + 1 : 1;
    ASSERT_LT(run, 16U) << i;
  }
}

// Only the alignment can be asserted: whether the kernel has huge pages to give is its own affair.
TEST(AlignedBufferTest, HugePagesAreAlignedToTheirSize) {
  const auto buffer = AlignedBuffer::Create(3 * base::kMiB, PageSize::kHuge);
  ASSERT_TRUE(buffer.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % (2 * base::kMiB), 0U);
  EXPECT_EQ(buffer->size(), 3 * base::kMiB);
  buffer->data()[3 * base::kMiB - 1] = 'x';
}

TEST(AlignedBufferTest, MovesItsMemory) {
  auto buffer = AlignedBuffer::Create(4096);
  ASSERT_TRUE(buffer.ok());
  const char* before = buffer->data();
  const AlignedBuffer moved = *std::move(buffer);
  EXPECT_EQ(moved.data(), before);
}

TEST(StampBlocksTest, EveryFourKibibytesDifferFromOneWriteToTheNext) {
  std::string data(16'384, 'x');
  std::set<std::string> seen;
  for (uint64_t number = 1; number <= 100; ++number) {
    StampBlocks(data.data(), data.size(), number);
    for (size_t at = 0; at < data.size(); at += 4096) seen.insert(data.substr(at, 4096));
  }
  EXPECT_EQ(seen.size(), 400U);
}

TEST(StampBlocksTest, AShortBufferIsNotOverrun) {
  std::string data(4, 'x');
  StampBlocks(data.data(), data.size(), 7);
  EXPECT_EQ(data, "xxxx");
}

}  // namespace
}  // namespace ashlar::bench
