#include "bench/storage/metadata_stage.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>

#include "bench/storage/io_engine.h"

namespace ashlar::bench {
namespace {

using base::ErrnoStatus;
using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

struct Pass {
  uint64_t files = 0;
  double per_second = 0;
};

// Does `act` (0 or an error of errno) to one name after the other until `most` or the deadline.
StatusOr<Pass> RunPass(uint64_t most, absl::Duration limit, const std::stop_token& stop,
                       const std::function<int(const char*)>& act) {
  const int64_t begin = MonotonicNanoseconds();
  const int64_t end = limit == absl::InfiniteDuration() ? INT64_MAX : begin + absl::ToInt64Nanoseconds(limit);
  Pass pass;
  int64_t now = begin;
  while (pass.files < most && (now < end || pass.files == 0)) {
    if (stop.stop_requested()) return Error(StatusCode::kCancelled, "stopped by request");
    const std::string name = ScratchMetadataName(pass.files);
    if (act(name.c_str()) != 0) return ErrnoStatus(errno, fmt::format("file {}", pass.files));
    ++pass.files;
    now = MonotonicNanoseconds();
  }
  pass.per_second = static_cast<double>(pass.files) / (static_cast<double>(std::max<int64_t>(now - begin, 1)) / 1e9);
  return pass;
}

}  // namespace

StatusOr<MetadataResult> MeasureMetadata(const Scratch& scratch, absl::Duration window, uint64_t most_files,
                                         const std::stop_token& stop) {
  if (most_files == 0) return Error(StatusCode::kInvalidArgument, "no files allowed");
  const std::string folder(kScratchMetadata);
  if (mkdirat(scratch.directory(), folder.c_str(), 0700) != 0) return ErrnoStatus(errno, "creating a folder");
  const int directory = openat(scratch.directory(), folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return ErrnoStatus(errno, "opening the folder");
  const std::unique_ptr<const int, void (*)(const int*)> closer(&directory, [](const int* open) { close(*open); });
  const auto create = [directory](const char* name) {
    const int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file < 0 ? -1 : close(file);
  };
  const auto look_up = [directory](const char* name) {
    struct stat facts = {};
    return fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW);
  };
  const auto remove = [directory](const char* name) { return unlinkat(directory, name, 0); };
  ASHLAR_ASSIGN_OR_RETURN(const Pass created, RunPass(most_files, window / 3, stop, create));
  ASHLAR_ASSIGN_OR_RETURN(const Pass looked, RunPass(created.files, absl::InfiniteDuration(), stop, look_up));
  ASHLAR_ASSIGN_OR_RETURN(const Pass removed, RunPass(created.files, absl::InfiniteDuration(), stop, remove));
  return MetadataResult{.files = created.files,
                        .create_per_second = created.per_second,
                        .stat_per_second = looked.per_second,
                        .remove_per_second = removed.per_second};
}

}  // namespace ashlar::bench
