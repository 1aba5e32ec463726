// The mounts that checks of disks look at. Any thread.
#pragma once

#include <string>
#include <vector>

#include "node/checks/check.h"
#include "node/kernel/mountinfo.h"

namespace ashlar::node {

base::StatusOr<std::vector<MountLine>> ReadMounts(const os::SysReader& system);

// Those whose type is in disk_types, a device that is mounted several times once (its shortest mount point). Errors as
// ReadMounts; kFailedPrecondition when disk_types is not stated.
base::StatusOr<std::vector<MountLine>> DiskMounts(const CheckContext& context);

struct MountUsage {
  MountLine mount;
  base::StatusOr<FileSystemUsage> usage;
};

// How full each of DiskMounts is. A network file system is asked in a child process with a deadline, so that a server
// that hangs is named.
base::StatusOr<std::vector<MountUsage>> DiskUsage(const CheckContext& context);

// The mount with the least of what `share` gives, judged against `least` of `key`; the fewest words for the two checks
// of room. `share` gives a negative number for a mount to which the question does not apply.
struct RoomQuestion {
  std::string_view id;
  std::string_view key;   // of the expectation
  std::string_view what;  // "space"
  std::string_view remedy;
  double (*share)(const FileSystemUsage&);
};
base::Finding JudgeRoom(const CheckContext& context, const RoomQuestion& question);

}  // namespace ashlar::node
