#include "bench/storage/sync_stage.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

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

constexpr size_t kRecordBytes = 4096;
constexpr uint64_t kWarmUps = 3;  // the first commits allocate the journal's and the file's first blocks

Status AppendRecord(int file, AlignedBuffer& record, uint64_t number) {
  StampBlocks(record.data(), record.size(), number);
  const ssize_t written = write(file, record.data(), record.size());
  if (written == static_cast<ssize_t>(record.size())) return base::OkStatus();
  return ErrnoStatus(written < 0 ? errno : ENOSPC, "appending 4 KiB");
}

}  // namespace

StatusOr<SyncResult> MeasureSync(const Scratch& scratch, absl::Duration window, const std::stop_token& stop) {
  const int file = openat(scratch.directory(), "sync", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return ErrnoStatus(errno, fmt::format("creating a file in {}", scratch.path()));
  const std::unique_ptr<const int, void (*)(const int*)> closer(&file, [](const int* open) { close(*open); });
  unlinkat(scratch.directory(), "sync", 0);
  ASHLAR_ASSIGN_OR_RETURN(AlignedBuffer record, AlignedBuffer::Create(kRecordBytes));
  stats::LatencyHistogram latency;
  const int64_t end = MonotonicNanoseconds() + absl::ToInt64Nanoseconds(window);
  for (uint64_t number = 0; latency.count() < kMaxStorageSyncOperations; ++number) {
    if (stop.stop_requested()) return Error(StatusCode::kCancelled, "stopped by request");
    ASHLAR_RETURN_IF_ERROR(AppendRecord(file, record, number));
    const int64_t begun = MonotonicNanoseconds();
    if (fdatasync(file) != 0) return ErrnoStatus(errno, "fdatasync: the storage lost what it had taken");
    const int64_t now = MonotonicNanoseconds();
    if (number >= kWarmUps) latency.Record(now - begun);
    if (now >= end && latency.count() > 0) break;
  }
  return SyncResult{.operations = latency.count(), .latency = SummariseLatency(latency)};
}

}  // namespace ashlar::bench
