// What the checks ask the kernel through system calls, behind an interface so that tests show any machine.
//
// RealKernelCalls() holds no state; its functions may be called from any thread.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// statvfs(3) of the file system that holds a path.
struct FileSystemUsage {
  uint64_t total_bytes = 0;
  uint64_t free_bytes = 0;       // to root
  uint64_t available_bytes = 0;  // to others than root
  uint64_t total_inodes = 0;     // 0 when the file system has no fixed number
  uint64_t free_inodes = 0;
  uint64_t available_inodes = 0;
  bool read_only = false;
};

// adjtimex(2) with nothing to set.
struct ClockState {
  bool synchronised = false;     // neither TIME_ERROR nor STA_UNSYNC
  absl::Duration maximum_error;  // the kernel's own bound
};

enum class ResourceKind { kLockedMemory, kOpenFiles };

// getrlimit(2); UINT64_MAX is unlimited. kLockedMemory in bytes, kOpenFiles a number.
struct ResourceLimit {
  uint64_t soft = 0;
  uint64_t hard = 0;
  bool lock_capability = false;  // CAP_IPC_LOCK is effective: the locked memory limit does not bind
};

class KernelCalls {
 public:
  virtual ~KernelCalls() = default;
  virtual base::StatusOr<FileSystemUsage> Usage(const std::string& path) const = 0;
  virtual base::StatusOr<ClockState> Clock() const = 0;
  virtual base::StatusOr<ResourceLimit> Limit(ResourceKind kind) const = 0;
  // The kernel's log as syslog(2) gives it, for where /dev/kmsg is missing. kPermissionDenied when the kernel keeps it
  // from this user.
  virtual base::StatusOr<std::string> KernelLog() const = 0;
  // Addresses of `name` as text, through the system's resolver. Blocks for as long as the resolver does. kNotFound when
  // the name has none, kUnavailable when no server answers.
  virtual base::StatusOr<std::vector<std::string>> Resolve(const std::string& name) const = 0;
  virtual base::StatusOr<std::string> HostName() const = 0;
};

const KernelCalls& RealKernelCalls();

}  // namespace ashlar::node
