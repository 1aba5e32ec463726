// Memory for direct I/O: page-aligned, touched before use, filled with bytes that no storage can compress or merge.
//
// First touch of memory can cost more than the disk: it must not happen inside a measurement. One owner; the pages
// go back on destruction. One thread at a time per part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/base.h"

namespace ashlar::bench {

// Pages of memory that lie one after the other make one transfer of many: a device may be twice as fast with them.
// kSmall is what programs have unless they ask; kHuge asks (MADV_HUGEPAGE), and is kSmall where the kernel has none.
enum class PageSize { kSmall, kHuge };

class AlignedBuffer {
 public:
  // `size` bytes, all touched. kResourceExhausted when the system has not that much.
  static base::StatusOr<AlignedBuffer> Create(size_t size, PageSize pages = PageSize::kSmall);
  AlignedBuffer(AlignedBuffer&& other) noexcept;
  AlignedBuffer& operator=(AlignedBuffer&&) = delete;
  ~AlignedBuffer();

  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  AlignedBuffer(char* mapped, size_t mapped_size) : mapped_(mapped), mapped_size_(mapped_size) {}

  char* mapped_ = nullptr;  // what the system gave, for giving it back
  size_t mapped_size_ = 0;
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Marks every 4 KiB (and the start) of `data` with `number`, so that no two writes hold the same block: storage that
// stores equal blocks once would otherwise look faster than it is.
void StampBlocks(char* data, size_t size, uint64_t number);

}  // namespace ashlar::bench
