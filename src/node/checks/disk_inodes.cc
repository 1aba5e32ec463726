#include "node/checks/disk_inodes.h"

#include "node/checks/mounts.h"

namespace ashlar::node {
namespace {

// btrfs, vfat and network file systems have no fixed number of inodes: 0 in all.
double FreeShare(const FileSystemUsage& usage) {
  if (usage.total_inodes == 0) return -1;
  return static_cast<double>(usage.available_inodes) / static_cast<double>(usage.total_inodes);
}

}  // namespace

std::vector<base::Finding> CheckDiskInodes(const CheckContext& context) {
  return {
      JudgeRoom(context, {.id = "disk-inodes",
                          .key = "inode_free_share",
                          .what = "inodes",
                          .remedy = "find the many small files (du -x --inodes --max-depth=1) and remove or pack them",
                          .share = &FreeShare})};
}

}  // namespace ashlar::node
