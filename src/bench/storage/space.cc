#include "bench/storage/space.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>

#include "bench/storage/limits.h"

namespace ashlar::bench {

using base::Bytes;
using base::Error;
using base::Status;
using base::StatusCode;
using base::StatusOr;

StatusOr<SpaceFacts> ReadSpace(const std::string& path) {
  struct statvfs facts = {};
  if (statvfs(path.c_str(), &facts) != 0) return base::ErrnoStatus(errno, fmt::format("free space of {}", path));
  const uint64_t unit = facts.f_frsize != 0 ? facts.f_frsize : facts.f_bsize;
  SpaceFacts space;
  space.total = Bytes{facts.f_blocks * unit};
  space.available = Bytes{facts.f_bavail * unit};
  space.free_inodes = facts.f_favail;
  space.counts_inodes = facts.f_files != 0;
  return space;
}

Bytes StorageReserve(Bytes total) {
  return Bytes{std::clamp(total.count / 20, kMinStorageReserveBytes, kMaxStorageReserveBytes)};
}

Status CheckSpace(const SpaceFacts& facts, Bytes needed, const std::string& path) {
  const Bytes reserve = StorageReserve(facts.total);
  if (needed.count <= facts.available.count && facts.available.count - needed.count >= reserve.count) {
    return base::OkStatus();
  }
  const Bytes missing{needed.count + reserve.count - facts.available.count};
  return Error(StatusCode::kResourceExhausted,
               "{}: {} are free, but the test file needs {} and {} must stay free: {} are missing. Free them, name "
               "another folder, or ask for a smaller --size",
               path, base::HumanBytes(facts.available), base::HumanBytes(needed), base::HumanBytes(reserve),
               base::HumanBytes(missing));
}

uint64_t AllowedFiles(const SpaceFacts& facts, uint64_t wanted) {
  if (!facts.counts_inodes) return wanted;
  if (facts.free_inodes <= kStorageInodeReserve) return 0;
  return std::min(wanted, facts.free_inodes - kStorageInodeReserve);
}

}  // namespace ashlar::bench
