// A folder of our own below the measured one: the only place where the measurement writes.
//
// Layout of `.ashlar-bench-XXXXXX` (mode 0700): `owner.lock` (held as long as its owner lives), `about.txt` (the
// marker, written last, so that a folder with a marker has had its lock taken), `metadata/f000000...` while names are
// measured.
// The data file has no name: it is unlinked as soon as it is open, so that even kill -9 gives its space back.
//
// Removing never goes by "everything below": only names that this file gives are removed, in folders that this user
// owns; anything else stays, and the folder with it. One thread per object.
#pragma once

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::bench {

inline constexpr std::string_view kScratchPrefix = ".ashlar-bench-";
inline constexpr std::string_view kScratchMarker = "about.txt";
inline constexpr std::string_view kScratchLock = "owner.lock";
inline constexpr std::string_view kScratchMetadata = "metadata";

class Scratch {
 public:
  // A fresh folder below `parent`, locked and marked. kNotFound, kPermissionDenied (also a read-only file system),
  // kResourceExhausted and others with the path.
  static base::StatusOr<Scratch> Create(const std::string& parent);
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();  // as Remove, errors dropped

  // Removes the folder and what is ours in it. An error names what stands in the way; a second call is OK.
  base::Status Remove();

  const std::string& path() const { return path_; }
  int directory() const { return directory_; }  // descriptor of the folder, for openat(2)

 private:
  Scratch(std::string path, int directory) : path_(std::move(path)), directory_(directory) {}

  std::string path_;
  int directory_ = -1;
  std::optional<os::FileLock> lock_;
};

// Name of the n-th file below kScratchMetadata: "f000042".
std::string ScratchMetadataName(uint64_t number);

// Removes the folders that dead owners left below `parent`: marked and with a free lock, or unmarked and older than
// kStorageStaleAge at `now`. At most kMaxStorageStaleFolders. The paths that are gone; what cannot be removed stays.
std::vector<std::string> RemoveStaleScratch(const std::string& parent, absl::Time now);

}  // namespace ashlar::bench
