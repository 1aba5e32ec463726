#include "node/checks/disk_space.h"

#include "node/checks/mounts.h"

namespace ashlar::node {
namespace {

double FreeShare(const FileSystemUsage& usage) {
  if (usage.total_bytes == 0) return -1;
  return static_cast<double>(usage.available_bytes) / static_cast<double>(usage.total_bytes);
}

}  // namespace

// Space that root alone may use does not count: jobs are not root.
std::vector<base::Finding> CheckDiskSpace(const CheckContext& context) {
  return {JudgeRoom(context, {.id = "disk-space",
                              .key = "disk_free_share",
                              .what = "space",
                              .remedy = "find what fills it (du -xh --max-depth=1) and remove or move it",
                              .share = &FreeShare})};
}

}  // namespace ashlar::node
