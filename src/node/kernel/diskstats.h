// /proc/diskstats: what block devices have read and written since the boot.
//
// Format: Linux Documentation/admin-guide/iostats.rst. Any thread may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

inline constexpr uint64_t kSectorBytes = 512;  // of this file, whatever the device's own sector is

struct DiskStats {
  std::string_view name;  // part of the text that was read
  uint64_t reads = 0;
  uint64_t reads_merged = 0;
  uint64_t sectors_read = 0;
  uint64_t read_milliseconds = 0;
  uint64_t writes = 0;
  uint64_t writes_merged = 0;
  uint64_t sectors_written = 0;
  uint64_t write_milliseconds = 0;
  uint64_t in_flight = 0;
  uint64_t io_milliseconds = 0;
  uint64_t weighted_milliseconds = 0;
};

// One row a device or partition, in the file's order, into `disks`, reusing its memory; names point into `text`. Later
// columns (discards, flushes) are checked to be numbers and left. kInvalidArgument for a malformed line,
// kResourceExhausted for more than kMaxDiskRows.
base::Status ParseDiskstats(std::string_view text, std::vector<DiskStats>& disks);

// True for devices worth watching by default: no partitions, loop, RAM or floppy devices; as node_exporter's
// --collector.diskstats.device-exclude.
bool IsWatchedDisk(std::string_view name);

}  // namespace ashlar::node
