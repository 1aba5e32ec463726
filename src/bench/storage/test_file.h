// The file that is measured: without a name, allocated, written in full and flushed before anything reads it, since
// reads of holes and of blocks that were never written do not reach the disk.
//
// One thread at a time. The descriptor closes, and the space returns, on destruction.
#pragma once

#include <absl/time/time.h>

#include <stop_token>
#include <string>

#include "base/base.h"
#include "bench/storage/scratch.h"

namespace ashlar::bench {

struct TestFileOptions {
  base::Bytes size;                                      // rounded down to whole kTestFileChunk
  absl::Duration time_limit = absl::InfiniteDuration();  // for writing; what is written by then is the file
  std::string no_direct_reason;                          // not empty: O_DIRECT is not tried, for this reason
  std::stop_token stop;
};

inline constexpr uint64_t kTestFileChunk = 4 * base::kMiB;

class TestFile {
 public:
  // kCancelled on a stop request, kResourceExhausted when the space ends, kDeadlineExceeded when the time limit leaves
  // less than kMinStorageFileBytes; else the errno.
  static base::StatusOr<TestFile> Create(const Scratch& scratch, const TestFileOptions& options);
  TestFile(TestFile&& other) noexcept;
  TestFile& operator=(TestFile&&) = delete;
  ~TestFile();

  int descriptor() const { return descriptor_; }
  base::Bytes size() const { return size_; }                           // as written, at most what was asked for
  bool direct() const { return direct_reason_.empty(); }               // operations pass the page cache by
  const std::string& direct_reason() const { return direct_reason_; }  // why they do not; "" when they do

  // Throws the file's pages out of the page cache as far as the kernel does: buffered reads then start cold.
  void DropCache() const;

 private:
  TestFile() = default;
  base::Status Open(const Scratch& scratch, const std::string& no_direct_reason);
  base::Status TryDirect();
  base::Status Fill(const TestFileOptions& options);

  int descriptor_ = -1;
  base::Bytes size_;
  std::string direct_reason_;
};

}  // namespace ashlar::bench
