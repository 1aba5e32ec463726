// The folder where `ashlar up` keeps its ledger and report, held by one process at a time.
#pragma once

#include <string>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::service {

class StateFolder {
 public:
  // Makes the folder when it is missing and takes its lock. kAlreadyExists when another process holds it (with its
  // process id), kPermissionDenied when the folder cannot be written; each says what to do.
  static base::StatusOr<StateFolder> Open(const std::string& path);

  const std::string& path() const { return path_; }
  std::string report_path() const { return path_ + "/report.html"; }

 private:
  StateFolder(std::string path, os::FileLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  os::FileLock lock_;
};

}  // namespace ashlar::service
