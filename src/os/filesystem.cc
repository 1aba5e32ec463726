#include "os/filesystem.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "os/descriptor.h"
#include "os/directory.h"

namespace ashlar::os {
namespace {

using base::StatusCode;

constexpr mode_t kPublicMode = 0644;
constexpr mode_t kSecretMode = 0600;
constexpr mode_t kDirectoryMode = 0755;

class RealFile : public File {
 public:
  RealFile(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  base::Status Append(std::string_view bytes) override {
    if (!lost_.ok()) return lost_;
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return base::ErrnoStatus(errno, "writing " + path_);
      if (written == 0) return base::Error(StatusCode::kInternal, "writing {}: the system took nothing", path_);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return base::OkStatus();
  }

  base::StatusOr<std::string> ReadAt(uint64_t offset, size_t length) override {
    std::string bytes(length, '\0');
    size_t filled = 0;
    while (filled < length) {
      const ssize_t got =
          ::pread(descriptor_.number(), bytes.data() + filled, length - filled, static_cast<off_t>(offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return base::ErrnoStatus(errno, "reading " + path_);
      if (got == 0) break;
      filled += static_cast<size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
  }

  base::Status Sync() override {
    if (!lost_.ok()) return lost_;
    int result = 0;
    do {
      result = ::fsync(descriptor_.number());
    } while (result != 0 && errno == EINTR);
    if (result != 0) lost_ = base::ErrnoStatus(errno, "fsync of " + path_);
    return lost_;
  }

 private:
  const Descriptor descriptor_;
  const std::string path_;
  base::Status lost_;
};

base::Status SyncDirectoryOnDisk(const std::string& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.open()) return base::ErrnoStatus(errno, "opening " + path);
  // EINVAL: a file system that has no fsync of directories (some network ones) keeps names in order by itself.
  if (::fsync(directory.number()) != 0 && errno != EINVAL) return base::ErrnoStatus(errno, "fsync of " + path);
  return base::OkStatus();
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

int OpenFlags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead: return O_RDONLY;
    case OpenMode::kCreateNew: return O_RDWR | O_APPEND | O_CREAT | O_EXCL;
    case OpenMode::kTruncate: return O_RDWR | O_APPEND | O_CREAT | O_TRUNC;
    case OpenMode::kAppend: return O_RDWR | O_APPEND | O_CREAT;
  }
  return O_RDONLY;
}

class MachineFileSystem : public FileSystem {
 public:
  base::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, bool secret) override {
    const mode_t permissions = secret ? kSecretMode : kPublicMode;
    int number = -1;
    do {
      number = ::open(path.c_str(), OpenFlags(mode) | O_CLOEXEC | O_NOCTTY, permissions);
    } while (number < 0 && errno == EINTR);
    if (number < 0) return base::ErrnoStatus(errno, "opening " + path);
    return std::make_unique<RealFile>(Descriptor(number), path);
  }

  base::Status Rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) == 0) return base::OkStatus();
    return base::ErrnoStatus(errno, fmt::format("renaming {} to {}", from, to));
  }

  base::Status Remove(const std::string& path) override {
    if (::remove(path.c_str()) == 0) return base::OkStatus();
    return base::ErrnoStatus(errno, "removing " + path);
  }

  base::Status CreateDirectories(const std::string& path) override {
    for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
      ASHLAR_RETURN_IF_ERROR(CreateOne(path.substr(0, end)));
    }
    return CreateOne(path);
  }

  base::Status SyncDirectory(const std::string& path) override { return SyncDirectoryOnDisk(path); }

  base::StatusOr<FileStat> Stat(const std::string& path) override {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return base::ErrnoStatus(errno, path);
    return FileStat{.is_directory = S_ISDIR(status.st_mode),
                    .is_regular = S_ISREG(status.st_mode),
                    .size_bytes = static_cast<uint64_t>(status.st_size),
                    .mode = status.st_mode & 07777U};
  }

  base::StatusOr<std::vector<std::string>> List(const std::string& path) override {
    return ListDirectory(path.c_str());
  }

 private:
  static base::Status CreateOne(const std::string& path) {
    if (path.empty() || path.back() == '/') return base::OkStatus();  // "a//b" and "a/" name nothing more
    if (::mkdir(path.c_str(), kDirectoryMode) == 0) return SyncDirectoryOnDisk(ParentOf(path));
    const int error_number = errno;
    struct stat status {};
    if (error_number == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      return base::OkStatus();
    }
    return base::ErrnoStatus(error_number, "creating directory " + path);
  }
};

}  // namespace

FileSystem& RealFileSystem() {
  static MachineFileSystem machine;  // holds no state
  return machine;
}

}  // namespace ashlar::os
