#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "os/descriptor.h"
#include "os/filesystem.h"

namespace ashlar::os {
namespace {

std::string ReadOwner(int descriptor) {
  std::array<char, 32> text;
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view owner = base::Trim(std::string_view(text.data(), got > 0 ? static_cast<size_t>(got) : 0));
  // Between the lock and the writing of the number the file is empty.
  return base::ParseUint64(owner) ? fmt::format("process {}", owner) : "a process that is just starting";
}

base::Status WriteOwner(int descriptor, const std::string& path) {
  const std::string owner = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor, 0) != 0 ||
      ::pwrite(descriptor, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    return base::ErrnoStatus(errno, "writing the process id to " + path);
  }
  return base::OkStatus();
}

}  // namespace

base::StatusOr<FileLock> FileLock::Acquire(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644));
  if (!file.open()) return base::ErrnoStatus(errno, "opening the lock " + path);
  int result = 0;
  do {
    result = ::flock(file.number(), LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EWOULDBLOCK) {
    return base::Error(base::StatusCode::kAlreadyExists, "{} is held by {}: stop that one first, or use another folder",
                       path, ReadOwner(file.number()));
  }
  if (result != 0) return base::ErrnoStatus(errno, "locking " + path);
  ASHLAR_RETURN_IF_ERROR(WriteOwner(file.number(), path));
  return FileLock(file.Release());
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) Descriptor(std::exchange(descriptor_, std::exchange(other.descriptor_, -1))).Close();
  return *this;
}

FileLock::~FileLock() { Descriptor(descriptor_).Close(); }

base::StatusOr<TemporaryDirectory> TemporaryDirectory::Create(const std::string& parent) {
  const char* configured = std::getenv("TMPDIR");
  std::string path = parent;
  if (path.empty()) path = configured != nullptr && *configured != '\0' ? configured : "/tmp";
  path += "/ashlar-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return base::ErrnoStatus(errno, "making a temporary directory " + path);
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, "")) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  // What this one held goes with `other`'s destruction.
  if (this != &other) std::swap(path_, other.path_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;  // nobody is left to tell
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ashlar::os
