#include "bench/storage/aligned_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ashlar::bench {
namespace {

constexpr size_t kStampStride = 4096;
constexpr size_t kHugePage = size_t{2} << 20U;  // x86-64 and arm64 with 4 KiB pages

// Marsaglia's xorshift64: quick, and random enough that compression gains nothing.
void FillRandom(char* data, size_t size) {
  uint64_t state = 0x9e3779b97f4a7c15U;
  for (size_t at = 0; at < size; at += sizeof(state)) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    std::memcpy(data + at, &state, std::min(sizeof(state), size - at));
  }
}

}  // namespace

base::StatusOr<AlignedBuffer> AlignedBuffer::Create(size_t size, PageSize pages) {
  if (size == 0) return base::Error(base::StatusCode::kInvalidArgument, "a buffer of no bytes");
  const size_t alignment = pages == PageSize::kHuge ? kHugePage : 1;
  const size_t mapped_size = size + alignment - 1;
  void* memory = mmap(nullptr, mapped_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    if (errno == ENOMEM) {
      return base::Error(base::StatusCode::kResourceExhausted, "no memory for {} of buffers",
                         base::HumanBytes(base::Bytes{size}));
    }
    return base::ErrnoStatus(errno, "mapping buffers");
  }
  AlignedBuffer buffer(static_cast<char*>(memory), mapped_size);
  buffer.size_ = size;
  buffer.data_ = buffer.mapped_ + (alignment - reinterpret_cast<uintptr_t>(memory) % alignment) % alignment;
  // A refusal leaves small pages, which serve as well.
  if (pages == PageSize::kHuge) madvise(buffer.data_, size, MADV_HUGEPAGE);
  FillRandom(buffer.data_, size);
  return buffer;
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_size_(std::exchange(other.mapped_size_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

AlignedBuffer::~AlignedBuffer() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_size_);
}

void StampBlocks(char* data, size_t size, uint64_t number) {
  for (size_t at = 0; at + sizeof(number) <= size; at += kStampStride) {
    const uint64_t stamp = number * 0x9e3779b97f4a7c15U + at;
    std::memcpy(data + at, &stamp, sizeof(stamp));
  }
}

}  // namespace ashlar::bench
