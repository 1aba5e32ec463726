#include "os/sys_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "os/descriptor.h"
#include "os/directory.h"
#include "os/limits.h"

namespace ashlar::os {
namespace {

using base::StatusCode;

// /dev/kmsg refuses a read that cannot take its longest record (8 KiB); most of /proc and /sys fits as well.
constexpr size_t kLeastRoom = size_t{8} << 10U;

// A path with its end, on the stack: samplers must not allocate.
using PathText = std::array<char, kPathLimit>;

bool HasParentStep(std::string_view path) {
  while (!path.empty()) {
    const size_t slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
  return false;
}

base::Status JoinPath(std::string_view root, std::string_view path, PathText& joined) {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string_view::npos || HasParentStep(path)) {
    return base::Error(StatusCode::kInvalidArgument, "{}: a kernel path starts with / and holds no ..", path);
  }
  if (root.size() + path.size() >= joined.size()) {
    return base::Error(StatusCode::kInvalidArgument, "{}: longer than {} bytes", path, joined.size() - 1);
  }
  std::memcpy(joined.data(), root.data(), root.size());
  std::memcpy(joined.data() + root.size(), path.data(), path.size());
  joined[root.size() + path.size()] = '\0';
  return base::OkStatus();
}

// Reads to the end of the file: /proc reports size 0 for everything, and a short read is not yet the end.
base::Status ReadToEnd(int descriptor, std::string_view path, uint64_t limit, std::string& buffer) {
  size_t length = 0;
  buffer.resize(std::max(buffer.capacity(), kLeastRoom));
  while (true) {
    if (buffer.size() - length < kLeastRoom) buffer.resize(buffer.size() * 2);
    const ssize_t got = ::read(descriptor, buffer.data() + length, buffer.size() - length);
    if (got < 0 && errno == EINTR) continue;
    // /dev/kmsg says EPIPE when records were overwritten meanwhile, and goes on with the oldest that is left.
    if (got < 0 && errno == EPIPE) continue;
    if (got == 0 || (got < 0 && errno == EAGAIN && length > 0)) break;
    if (got < 0) return base::ErrnoStatus(errno, path);
    length += static_cast<size_t>(got);
    if (length > limit) {
      return base::Error(StatusCode::kResourceExhausted, "{}: longer than the limit of {}", path,
                         base::HumanBytes(base::Bytes{limit}));
    }
  }
  buffer.resize(length);
  return base::OkStatus();
}

}  // namespace

base::Status SysReader::ReadUpTo(std::string_view path, base::Bytes limit, std::string& buffer) const {
  PathText joined;
  base::Status status = JoinPath(root_, path, joined);
  if (status.ok()) {
    const Descriptor file(::open(joined.data(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    status = file.open() ? ReadToEnd(file.number(), joined.data(), limit.count, buffer)
                         : base::ErrnoStatus(errno, joined.data());
  }
  if (!status.ok()) buffer.clear();
  return status;
}

base::StatusOr<std::string> SysReader::Read(std::string_view path) const { return ReadLimited(path, kSysReadLimit); }

base::StatusOr<std::string> SysReader::ReadLimited(std::string_view path, base::Bytes limit) const {
  std::string text;
  ASHLAR_RETURN_IF_ERROR(ReadUpTo(path, limit, text));
  return text;
}

base::Status SysReader::ReadInto(std::string_view path, std::string& buffer) const {
  return ReadUpTo(path, kSysReadLimit, buffer);
}

base::StatusOr<std::string> SysReader::ReadTrimmed(std::string_view path) const {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, Read(path));
  return std::string(base::Trim(text));
}

base::StatusOr<int64_t> SysReader::ReadInt(std::string_view path) const {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, Read(path));
  const std::string_view trimmed = base::Trim(text);
  const std::optional<int64_t> number = base::ParseInt64(trimmed);
  if (!number) {
    constexpr size_t kShown = 64;
    return base::Error(StatusCode::kInvalidArgument, "{}{}: \"{}\" is no whole number", root_, path,
                       trimmed.substr(0, kShown));
  }
  return *number;
}

base::StatusOr<std::vector<std::string>> SysReader::List(std::string_view path) const {
  PathText joined;
  ASHLAR_RETURN_IF_ERROR(JoinPath(root_, path, joined));
  return ListDirectory(joined.data());
}

base::StatusOr<std::string> SysReader::ReadLink(std::string_view path) const {
  PathText joined;
  ASHLAR_RETURN_IF_ERROR(JoinPath(root_, path, joined));
  PathText target;
  const ssize_t length = ::readlink(joined.data(), target.data(), target.size());
  if (length < 0) return base::ErrnoStatus(errno, joined.data());
  return std::string(target.data(), static_cast<size_t>(length));
}

bool SysReader::Exists(std::string_view path) const {
  PathText joined;
  return JoinPath(root_, path, joined).ok() && ::access(joined.data(), F_OK) == 0;
}

}  // namespace ashlar::os
