#include <sys/random.h>

#include <cerrno>

#include "os/filesystem.h"

namespace ashlar::os {
namespace {

struct PathParts {
  std::string folder;
  std::string name;
};

base::StatusOr<PathParts> SplitPath(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  PathParts parts;
  parts.name = slash == std::string::npos ? path : path.substr(slash + 1);
  parts.folder = slash == std::string::npos ? "." : path.substr(0, slash);
  if (parts.folder.empty()) parts.folder = "/";
  if (parts.name.empty() || parts.name == "." || parts.name == "..") {
    return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" names no file to write", path);
  }
  return parts;
}

// Several processes may write the same file at once: each needs a temporary name of its own.
base::StatusOr<std::string> TemporaryName(const PathParts& parts) {
  uint64_t random = 0;
  if (::getrandom(&random, sizeof(random), 0) != sizeof(random)) return base::ErrnoStatus(errno, "getrandom");
  return fmt::format("{}/.{}.{:016x}.new", parts.folder, parts.name, random);
}

base::Status WriteAndSync(FileSystem& files, const std::string& path, std::string_view bytes, bool secret) {
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<File> file, files.Open(path, OpenMode::kCreateNew, secret));
  ASHLAR_RETURN_IF_ERROR(file->Append(bytes));
  return file->Sync();
}

}  // namespace

base::StatusOr<std::string> ReadWholeFile(FileSystem& files, const std::string& path, base::Bytes limit) {
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<File> file, files.Open(path, OpenMode::kRead));
  constexpr size_t kChunk = size_t{256} << 10U;
  std::string bytes;
  while (true) {
    ASHLAR_ASSIGN_OR_RETURN(const std::string chunk, file->ReadAt(bytes.size(), kChunk));
    bytes += chunk;
    if (bytes.size() > limit.count) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: longer than the limit of {}", path,
                         base::HumanBytes(limit));
    }
    if (chunk.size() < kChunk) return bytes;
  }
}

base::Status WriteFileDurably(FileSystem& files, const std::string& path, std::string_view bytes,
                              const DurableWriteOptions& options) {
  ASHLAR_ASSIGN_OR_RETURN(const PathParts parts, SplitPath(path));
  ASHLAR_ASSIGN_OR_RETURN(const std::string temporary, TemporaryName(parts));
  base::Status status = WriteAndSync(files, temporary, bytes, options.secret);
  if (status.ok()) status = files.Rename(temporary, path);
  if (!status.ok()) {
    // Best effort: the error that matters is the first one.
    files.Remove(temporary).IgnoreError();
    return base::Annotate(status, fmt::format("replacing {}", path));
  }
  return base::Annotate(files.SyncDirectory(parts.folder), fmt::format("replacing {}", path));
}

}  // namespace ashlar::os
