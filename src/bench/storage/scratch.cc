#include "bench/storage/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::ErrnoStatus;
using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

constexpr std::string_view kMarkerText =
    "ashlar bench storage is measuring here. When it has been killed, the next measurement removes this folder;\n"
    "with no ashlar running it may also be removed by hand.\n";
constexpr size_t kRandomLetters = 6;  // what mkdtemp(3) fills in

bool IsScratchName(std::string_view name) {
  if (!name.starts_with(kScratchPrefix) || name.size() != kScratchPrefix.size() + kRandomLetters) return false;
  const std::string_view letters = name.substr(kScratchPrefix.size());
  return std::all_of(letters.begin(), letters.end(), [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
}

bool IsMetadataName(std::string_view name) {
  return name.size() == 7 && name.front() == 'f' && base::ParseUint64(name.substr(1)).has_value();
}

// Names in the directory behind `descriptor`, which stays open.
std::vector<std::string> NamesIn(int descriptor) {
  std::vector<std::string> names;
  const int copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(fdopendir(copy), closedir);
  if (directory == nullptr) {
    close(copy);
    return names;
  }
  while (const dirent* entry = readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void RemoveMetadata(int directory) {
  const std::string name(kScratchMetadata);
  const int inner = openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return;
  for (const std::string& file : NamesIn(inner)) {
    if (IsMetadataName(file)) unlinkat(inner, file.c_str(), 0);
  }
  close(inner);
  unlinkat(directory, name.c_str(), AT_REMOVEDIR);
}

// The lock goes last: as long as it stands and is held, nobody else takes the folder for a leftover.
Status RemoveContents(int directory, const std::string& path) {
  RemoveMetadata(directory);
  for (std::string_view name : {kScratchMarker, kScratchLock}) unlinkat(directory, std::string(name).c_str(), 0);
  if (rmdir(path.c_str()) == 0 || errno == ENOENT) return base::OkStatus();
  const int error = errno;
  return ErrnoStatus(error, fmt::format("removing {} (still in it: {})", path, base::Join(NamesIn(directory), ", ")));
}

Status WriteMarker(int directory, const std::string& path) {
  const int file = openat(directory, std::string(kScratchMarker).c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return ErrnoStatus(errno, fmt::format("creating {}/{}", path, kScratchMarker));
  const ssize_t written = write(file, kMarkerText.data(), kMarkerText.size());
  const int error = written < 0 ? errno : ENOSPC;
  close(file);
  if (written == static_cast<ssize_t>(kMarkerText.size())) return base::OkStatus();
  return ErrnoStatus(error, fmt::format("writing {}/{}", path, kScratchMarker));
}

bool ExistsIn(int directory, std::string_view name, struct stat& facts) {
  return fstatat(directory, std::string(name).c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode);
}

// A leftover: this user's folder whose lock nobody holds, and which either has its marker or is old.
bool RemoveIfStale(int parent, const std::string& parent_path, const std::string& name, absl::Time now) {
  const int directory = openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return false;
  const std::unique_ptr<const int, void (*)(const int*)> closer(&directory, [](const int* open) { close(*open); });
  struct stat facts = {};
  if (fstat(directory, &facts) != 0 || facts.st_uid != geteuid()) return false;
  const std::string path = fmt::format("{}/{}", parent_path, name);
  const bool old = now - absl::FromTimeT(facts.st_mtime) > kStorageStaleAge;
  struct stat ignored = {};
  if (!ExistsIn(directory, kScratchMarker, ignored) && !old) return false;
  std::optional<os::FileLock> lock;
  if (ExistsIn(directory, kScratchLock, ignored)) {
    StatusOr<os::FileLock> taken = os::FileLock::Acquire(fmt::format("{}/{}", path, kScratchLock));
    if (!taken.ok()) return false;
    lock = *std::move(taken);
  } else if (!old) {
    return false;
  }
  return RemoveContents(directory, path).ok();
}

}  // namespace

StatusOr<Scratch> Scratch::Create(const std::string& parent) {
  std::string path = fmt::format("{}/{}XXXXXX", parent, kScratchPrefix);
  if (mkdtemp(path.data()) == nullptr) {
    return ErrnoStatus(errno, fmt::format("creating a folder in {} (it must exist and be writable)", parent));
  }
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) {
    const int error = errno;
    rmdir(path.c_str());
    return ErrnoStatus(error, fmt::format("opening {}", path));
  }
  // From here on the object's destructor cleans up.
  Scratch scratch(path, directory);
  ASHLAR_ASSIGN_OR_RETURN(os::FileLock lock, os::FileLock::Acquire(fmt::format("{}/{}", path, kScratchLock)));
  scratch.lock_ = std::move(lock);
  ASHLAR_RETURN_IF_ERROR(WriteMarker(directory, path));
  return scratch;
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, "")),
      directory_(std::exchange(other.directory_, -1)),
      lock_(std::exchange(other.lock_, std::nullopt)) {}

Scratch::~Scratch() { Remove().IgnoreError(); }

Status Scratch::Remove() {
  if (directory_ < 0) return base::OkStatus();
  Status removed = RemoveContents(directory_, path_);
  close(std::exchange(directory_, -1));
  lock_.reset();
  return removed;
}

std::string ScratchMetadataName(uint64_t number) { return fmt::format("f{:06}", number); }

std::vector<std::string> RemoveStaleScratch(const std::string& parent, absl::Time now) {
  std::vector<std::string> removed;
  const int directory = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return removed;
  for (const std::string& name : NamesIn(directory)) {
    if (removed.size() >= kMaxStorageStaleFolders) break;
    if (IsScratchName(name) && RemoveIfStale(directory, parent, name, now)) {
      removed.push_back(fmt::format("{}/{}", parent, name));
    }
  }
  close(directory);
  return removed;
}

}  // namespace ashlar::bench
