#include "os/directory.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "os/limits.h"

namespace ashlar::os {

base::StatusOr<std::vector<std::string>> ListDirectory(const char* path) {
  struct CloseDirectory {
    void operator()(DIR* directory) const { ::closedir(directory); }
  };
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path));
  if (!directory) return base::ErrnoStatus(errno, path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() >= kDirectoryEntries) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} names", path, kDirectoryEntries);
    }
    names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return base::ErrnoStatus(errno, path);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace ashlar::os
