// Memory for direct I/O: page-aligned, touched before use, filled with bytes that no storage can compress or merge.
//
// First touch of memory can cost more than the disk: it must not happen inside a measurement. One owner; the pages
// go back on destruction. One thread at a time per part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/base.h"

namespace ashlar::bench {

class AlignedBuffer {
 public:
  // `size` bytes, all touched. kResourceExhausted when the system has not that much.
  static base::StatusOr<AlignedBuffer> Create(size_t size);
  AlignedBuffer(AlignedBuffer&& other) noexcept;
  AlignedBuffer& operator=(AlignedBuffer&&) = delete;
  ~AlignedBuffer();

  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  AlignedBuffer(char* data, size_t size) : data_(data), size_(size) {}

  char* data_ = nullptr;
  size_t size_ = 0;
};

// Marks every 4 KiB (and the start) of `data` with `number`, so that no two writes hold the same block: storage that
// stores equal blocks once would otherwise look faster than it is.
void StampBlocks(char* data, size_t size, uint64_t number);

}  // namespace ashlar::bench
