// Which file system and device a folder lies on, and what that means for a measurement.
//
// Source: proc(5), /proc/PID/mountinfo; kernel Documentation/ABI/testing/sysfs-block. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "os/os.h"

namespace ashlar::bench {

// What answers an operation, as far as the file system's type tells.
enum class StorageKind {
  kLocal,     // a block device of this machine
  kNetwork,   // one server: nfs, cifs, 9p
  kParallel,  // many servers: lustre, beegfs, gpfs, wekafs, ceph
  kMemory,    // tmpfs, ramfs: no storage at all
  kLayered,   // overlay, FUSE: another file system or a program answers
};

std::string_view StorageKindName(StorageKind kind);  // "local", "network", "parallel", "memory", "layered"

struct StorageTarget {
  std::string filesystem;   // as the kernel names it: "ext4", "nfs4", "fuse.sshfs"; "unknown" when it cannot be read
  std::string device;       // "vda", "nvme0n1p2", "server:/export"; "unknown" when it cannot be read
  std::string mount_point;  // where the file system is mounted; "" when it cannot be read
  StorageKind kind = StorageKind::kLocal;
  // Not empty: the file system accepts O_DIRECT and yet answers from memory, so that its figures are not the disk's.
  std::string direct_in_name_only;
};

struct MountRow {
  std::string device_number;  // "254:0"
  std::string mount_point;    // unescaped
  std::string filesystem;
  std::string source;  // unescaped
};

// The rows of a mountinfo text; malformed lines are left out. kInvalidArgument when no line is a mount,
// kResourceExhausted over kMaxMountInfoLines.
base::StatusOr<std::vector<MountRow>> ParseMountInfo(std::string_view text);

// The row whose mount point is the longest that holds `path` (absolute, resolved); of equal ones the last, since it
// covers the others. nullptr when there is none.
const MountRow* FindMount(const std::vector<MountRow>& rows, std::string_view path);

// Reads all of it for an existing folder; never fails: what cannot be read is "unknown".
StorageTarget ReadStorageTarget(const os::SysReader& reader, const std::string& resolved_path);

// What the type's name says; unknown names are kLocal.
StorageKind KindOfFilesystem(std::string_view filesystem);

}  // namespace ashlar::bench
