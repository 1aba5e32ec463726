// Is there room for the test file, with enough left over for everybody else?
#pragma once

#include <cstdint>
#include <string>

#include "base/base.h"

namespace ashlar::bench {

struct SpaceFacts {
  base::Bytes total;           // of the file system
  base::Bytes available;       // to this user, without root's reserve
  uint64_t free_inodes = 0;    // to this user
  bool counts_inodes = false;  // false on file systems that make inodes as needed (btrfs, some network ones)
};

// statvfs(3) of the folder. Errors as errno says, with the path.
base::StatusOr<SpaceFacts> ReadSpace(const std::string& path);

// What must stay free: a twentieth of `total`, from kMinStorageReserveBytes to kMaxStorageReserveBytes.
base::Bytes StorageReserve(base::Bytes total);

// kResourceExhausted naming how much is missing when `needed` and the reserve do not both fit.
base::Status CheckSpace(const SpaceFacts& facts, base::Bytes needed, const std::string& path);

// How many of `wanted` files may be created so that kStorageInodeReserve inodes stay free.
uint64_t AllowedFiles(const SpaceFacts& facts, uint64_t wanted);

}  // namespace ashlar::bench
