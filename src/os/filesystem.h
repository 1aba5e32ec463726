// Files through one interface, so that tests can tear writes, lose unsynced data, fill the disk and fail fsync.
//
// RealFileSystem() is the machine's; TestFileSystem (test_filesystem_testing.h) is the hostile one. Both are safe for
// any thread. Handles belong to one thread at a time. No call retries on its own except on EINTR.
#pragma once

#include <absl/time/time.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::os {

struct FileStat {
  bool is_directory = false;
  bool is_regular = false;
  uint64_t size_bytes = 0;
  mode_t mode = 0;
};

// An open file. Closes on destruction; an error on close shows only through Sync().
class File {
 public:
  virtual ~File() = default;
  // Appends all of `bytes` or fails; a short write by the system is continued, never reported as success.
  virtual base::Status Append(std::string_view bytes) = 0;
  // Reads up to `length` bytes at `offset`; fewer only at the end of the file.
  virtual base::StatusOr<std::string> ReadAt(uint64_t offset, size_t length) = 0;
  // fsync(2): after OK the file's bytes survive power loss. After an error they must be taken as lost.
  virtual base::Status Sync() = 0;
};

enum class OpenMode {
  kRead,
  kCreateNew,   // kAlreadyExists when there is one
  kTruncate,    // create or empty
  kAppend,      // create or go on at the end
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // New files get mode 0600 & ~umask when `secret`, else 0644.
  virtual base::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, bool secret = false) = 0;
  virtual base::Status Rename(const std::string& from, const std::string& to) = 0;
  virtual base::Status Remove(const std::string& path) = 0;
  virtual base::Status CreateDirectories(const std::string& path) = 0;
  virtual base::Status SyncDirectory(const std::string& path) = 0;
  virtual base::StatusOr<FileStat> Stat(const std::string& path) = 0;
  // Names without "." and "..", sorted.
  virtual base::StatusOr<std::vector<std::string>> List(const std::string& path) = 0;
};

FileSystem& RealFileSystem();

// The whole file; kResourceExhausted when it is longer than `limit`.
base::StatusOr<std::string> ReadWholeFile(FileSystem& files, const std::string& path, base::Bytes limit);

// Replaces `path` so that after OK the new bytes survive power loss and at no time anything but the old or the new
// bytes is seen: temporary file beside it, write, fsync, rename, fsync of the directory. On error the old file stands
// and the temporary one is removed.
struct DurableWriteOptions {
  bool secret = false;  // mode 0600
};
base::Status WriteFileDurably(FileSystem& files, const std::string& path, std::string_view bytes,
                              const DurableWriteOptions& options = {});

// An advisory lock (flock) on a file, held until destruction or the end of the process, however it ends. The file holds
// the owner's process id as decimal text. kAlreadyExists with that id when another process holds it.
class FileLock {
 public:
  static base::StatusOr<FileLock> Acquire(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

// A fresh directory below `parent` (default: $TMPDIR or /tmp), removed with its contents on destruction.
class TemporaryDirectory {
 public:
  static base::StatusOr<TemporaryDirectory> Create(const std::string& parent = "");
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  ~TemporaryDirectory();
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ashlar::os
