// /proc, /sys and other small files of the kernel, below a root that tests replace.
//
// Every reading has a size limit (kSysReadLimit unless another is given), kResourceExhausted over it. What cannot
// be read is a Status, never an empty text. Paths are absolute and hold no "..", so that no reading leaves the root:
// kInvalidArgument. Nothing here waits: a pipe or device without data is kUnavailable. Any thread may call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::os {

class SysReader {
 public:
  // `root` is "" on the machine, a folder with proc/ and sys/ below it in tests.
  explicit SysReader(std::string root = "") : root_(std::move(root)) {}

  // The file's text, as it is. `path` is absolute ("/proc/meminfo").
  base::StatusOr<std::string> Read(std::string_view path) const;
  // The same with another limit, for what is long by nature: /dev/kmsg with kKernelLogLimit (os/limits.h).
  base::StatusOr<std::string> ReadLimited(std::string_view path, base::Bytes limit) const;
  // Reads into `buffer` without allocating once it is large enough; what samplers use every second. On an error the
  // buffer is empty.
  base::Status ReadInto(std::string_view path, std::string& buffer) const;
  // The file's text without white space at both ends.
  base::StatusOr<std::string> ReadTrimmed(std::string_view path) const;
  // The file as one whole number; kInvalidArgument naming path and text when it is none.
  base::StatusOr<int64_t> ReadInt(std::string_view path) const;
  // Names in a directory, sorted, without "." and "..".
  base::StatusOr<std::vector<std::string>> List(std::string_view path) const;
  // Target of a symbolic link, as stored.
  base::StatusOr<std::string> ReadLink(std::string_view path) const;
  // True when there is something that this process can see; a dangling link is not.
  bool Exists(std::string_view path) const;
  const std::string& root() const { return root_; }

 private:
  base::Status ReadUpTo(std::string_view path, base::Bytes limit, std::string& buffer) const;

  std::string root_;
};

}  // namespace ashlar::os
