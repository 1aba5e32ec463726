// /proc/self/mountinfo, as any kernel or container runtime might write it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bench/storage/mount.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rows = ashlar::bench::ParseMountInfo(text);
  if (!rows.ok()) return 0;
  for (const ashlar::bench::MountRow& row : *rows) {
    // A mount point is absolute and holds itself.
    if (row.mount_point.empty() || row.mount_point.front() != '/') __builtin_trap();
    if (ashlar::bench::FindMount(*rows, row.mount_point) == nullptr) __builtin_trap();
    ashlar::bench::KindOfFilesystem(row.filesystem);
  }
  return 0;
}
