#include "service/state_folder.h"

namespace ashlar::service {

base::StatusOr<StateFolder> StateFolder::Open(const std::string& path) {
  const base::Status made = os::RealFileSystem().CreateDirectories(path);
  if (!made.ok()) {
    return base::Annotate(made, fmt::format("state folder {} (choose another with --data DIR)", path));
  }
  auto lock = os::FileLock::Acquire(path + "/lock");
  if (lock.ok()) return StateFolder(path, *std::move(lock));
  if (lock.status().code() == base::StatusCode::kAlreadyExists) {
    return base::Error(lock.status().code(),
                       "another `ashlar up` uses {}: {}; stop it, or choose another folder with "
                       "--data DIR",
                       path, base::Message(lock.status()));
  }
  return base::Annotate(lock.status(),
                        fmt::format("state folder {} cannot be used (choose another with --data DIR)", path));
}

}  // namespace ashlar::service
