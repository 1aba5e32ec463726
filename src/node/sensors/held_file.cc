#include "node/sensors/held_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "node/kernel/text_scanner.h"

namespace ashlar::node {

HeldFile::HeldFile(HeldFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), buffer_(other.buffer_) {}

HeldFile& HeldFile::operator=(HeldFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

HeldFile::~HeldFile() { Close(); }

void HeldFile::Close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

base::StatusOr<std::string_view> HeldFile::Read() {
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) return base::ErrnoStatus(errno, path_);
  ssize_t got = 0;
  do {
    got = ::pread(descriptor_, buffer_.data(), buffer_.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    const int error = errno;
    Close();
    return base::ErrnoStatus(error, path_);
  }
  if (static_cast<size_t>(got) > kMaxHeldBytes) {
    return base::Error(base::StatusCode::kResourceExhausted, "{}: longer than {} bytes", path_, kMaxHeldBytes);
  }
  return base::Trim(std::string_view(buffer_.data(), static_cast<size_t>(got)));
}

base::StatusOr<uint64_t> HeldFile::ReadUint64() {
  ASHLAR_ASSIGN_OR_RETURN(const std::string_view text, Read());
  const auto number = base::ParseUint64(text);
  if (!number) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}: `{}` is no number", path_, Excerpt(text));
  }
  return *number;
}

}  // namespace ashlar::node
