#include "bench/storage/test_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bench/storage/aligned_buffer.h"
#include "bench/storage/io_engine.h"
#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::ErrnoStatus;
using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

constexpr const char* kDataName = "data";
constexpr size_t kProbeBytes = 4096;

// Opens a new file and takes its name away at once.
int OpenUnnamed(int directory, int extra_flags) {
  const int descriptor =
      openat(directory, kDataName, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | extra_flags, 0600);
  const int error = errno;
  // A refused O_DIRECT may have created the file all the same (open(2), notes).
  if (descriptor >= 0 || error == EINVAL) unlinkat(directory, kDataName, 0);
  errno = error;
  return descriptor;
}

bool RefusesDirect(int error) { return error == EINVAL || error == EOPNOTSUPP || error == ENOSYS; }

}  // namespace

StatusOr<TestFile> TestFile::Create(const Scratch& scratch, const TestFileOptions& options) {
  TestFile file;
  ASHLAR_RETURN_IF_ERROR(file.Open(scratch, options.no_direct_reason));
  const Status filled = file.Fill(options);
  if (!filled.ok()) return base::Annotate(filled, fmt::format("writing the test file in {}", scratch.path()));
  return file;
}

TestFile::TestFile(TestFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      direct_reason_(std::move(other.direct_reason_)) {}

TestFile::~TestFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status TestFile::Open(const Scratch& scratch, const std::string& no_direct_reason) {
  direct_reason_ = no_direct_reason;
  if (direct()) {
    descriptor_ = OpenUnnamed(scratch.directory(), O_DIRECT);
    if (descriptor_ < 0 && !RefusesDirect(errno)) return ErrnoStatus(errno, "creating the test file");
    const Status probed = descriptor_ >= 0 ? TryDirect() : ErrnoStatus(errno, "open");
    if (probed.ok()) return base::OkStatus();
    direct_reason_ = fmt::format("the file system refuses O_DIRECT ({})", base::Message(probed));
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  }
  descriptor_ = OpenUnnamed(scratch.directory(), 0);
  if (descriptor_ < 0) return ErrnoStatus(errno, "creating the test file");
  return base::OkStatus();
}

// Some file systems take the flag on open and refuse the first operation.
Status TestFile::TryDirect() {
  ASHLAR_ASSIGN_OR_RETURN(const AlignedBuffer buffer, AlignedBuffer::Create(kProbeBytes));
  const ssize_t written = pwrite(descriptor_, buffer.data(), kProbeBytes, 0);
  if (written == static_cast<ssize_t>(kProbeBytes)) return base::OkStatus();
  return ErrnoStatus(written < 0 ? errno : EINVAL, "write");
}

Status TestFile::Fill(const TestFileOptions& options) {
  const uint64_t wanted = options.size.count / kTestFileChunk * kTestFileChunk;
  // Not every file system can; those that can say at once that the space is not there.
  if (fallocate(descriptor_, 0, 0, static_cast<off_t>(wanted)) != 0 && errno != EOPNOTSUPP && errno != ENOSYS) {
    return ErrnoStatus(errno, fmt::format("allocating {}", base::HumanBytes(base::Bytes{wanted})));
  }
  ASHLAR_ASSIGN_OR_RETURN(const AlignedBuffer buffer, AlignedBuffer::Create(kTestFileChunk));
  const int64_t start = MonotonicNanoseconds();
  uint64_t written = 0;
  while (written < wanted) {
    if (options.stop.stop_requested()) return Error(StatusCode::kCancelled, "stopped by request");
    if (absl::Nanoseconds(MonotonicNanoseconds() - start) > options.time_limit) break;
    StampBlocks(buffer.data(), buffer.size(), written);
    const ssize_t done = pwrite(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(written));
    if (done < 0 && errno == EINTR) continue;
    if (done != static_cast<ssize_t>(buffer.size())) return ErrnoStatus(done < 0 ? errno : ENOSPC, "write");
    written += kTestFileChunk;
  }
  if (written < kMinStorageFileBytes) {
    return Error(StatusCode::kDeadlineExceeded, "only {} were written in {}: give it more time (--budget)",
                 base::HumanBytes(base::Bytes{written}), base::HumanDuration(options.time_limit));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(written)) != 0) return ErrnoStatus(errno, "cutting to size");
  if (fsync(descriptor_) != 0) return ErrnoStatus(errno, "fsync");
  size_ = base::Bytes{written};
  return base::OkStatus();
}

void TestFile::DropCache() const { posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED); }

}  // namespace ashlar::bench
