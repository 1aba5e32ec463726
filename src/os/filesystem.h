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
  // After an error an unknown part of them is in the file.
  virtual base::Status Append(std::string_view bytes) = 0;
  // Reads up to `length` bytes at `offset`; fewer only at the end of the file.
  virtual base::StatusOr<std::string> ReadAt(uint64_t offset, size_t length) = 0;
  // fsync(2): after OK the file's bytes survive power loss. After an error they must be taken as lost, and every later
  // Append and Sync of this handle fails too: the kernel drops the pages and would call the next fsync a success.
  virtual base::Status Sync() = 0;
};

enum class OpenMode {
  kRead,
  kCreateNew,  // kAlreadyExists when there is one
  kTruncate,   // create or empty
  kAppend,     // create or go on at the end
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // New files get mode 0600 & ~umask when `secret`, else 0644.
  virtual base::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, bool secret = false) = 0;
  // rename(2): replaces `to` in one step. Survives power loss after SyncDirectory of the folder (of both, if two).
  virtual base::Status Rename(const std::string& from, const std::string& to) = 0;
  // A file, a link (not its target) or an empty directory.
  virtual base::Status Remove(const std::string& path) = 0;
  // With its parents, mode 0755; each new one is durable on OK. Those that exist are left alone.
  virtual base::Status CreateDirectories(const std::string& path) = 0;
  // fsync of the directory: names created, renamed and removed in it survive power loss.
  virtual base::Status SyncDirectory(const std::string& path) = 0;
  // Follows links.
  virtual base::StatusOr<FileStat> Stat(const std::string& path) = 0;
  // Names without "." and "..", sorted.
  virtual base::StatusOr<std::vector<std::string>> List(const std::string& path) = 0;
};

FileSystem& RealFileSystem();

// The whole file; kResourceExhausted when it is longer than `limit`.
base::StatusOr<std::string> ReadWholeFile(FileSystem& files, const std::string& path, base::Bytes limit);

// Replaces `path` so that after OK the new bytes survive power loss and at no time anything but the old or the new
// bytes is seen: temporary file beside it (".NAME.<random>.new"), write, fsync, rename, fsync of the directory. On
// error the old file stands and the temporary one is removed; only when the last step, the fsync of the directory,
// fails are the new bytes seen without being durable. A link at `path` is replaced, not followed. Power loss may leave
// the temporary file behind.
struct DurableWriteOptions {
  bool secret = false;  // mode 0600
};
base::Status WriteFileDurably(FileSystem& files, const std::string& path, std::string_view bytes,
                              const DurableWriteOptions& options = {});

// An advisory lock (flock) on a file, held until destruction or the end of the process, however it ends. The file holds
// the owner's process id as decimal text and stays behind on release: removing it would let two owners in. A child
// forked meanwhile (RunIsolated) shares the lock until it ends. kAlreadyExists with the owner's id when it is held.
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

// A fresh directory (mode 0700) below `parent` (default: $TMPDIR or /tmp), removed with its contents on destruction;
// links in it are removed, never followed.
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
