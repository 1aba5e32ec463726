#include "node/kernel/diskstats.h"

#include <cctype>

#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPath = "/proc/diskstats";

bool ReadRow(std::string_view line, DiskStats& disk) {
  WordScanner words(line);
  uint64_t ignored = 0;
  if (!words.NextUint64(ignored) || !words.NextUint64(ignored)) return false;  // major and minor number
  disk.name = words.Next();
  if (disk.name.empty()) return false;
  for (uint64_t* column : {&disk.reads, &disk.reads_merged, &disk.sectors_read, &disk.read_milliseconds, &disk.writes,
                           &disk.writes_merged, &disk.sectors_written, &disk.write_milliseconds, &disk.in_flight,
                           &disk.io_milliseconds, &disk.weighted_milliseconds}) {
    if (!words.NextUint64(*column)) return false;
  }
  while (!words.AtEnd()) {
    if (!words.NextUint64(ignored)) return false;
  }
  return true;
}

bool IsDigit(char character) { return character >= '0' && character <= '9'; }

// `name` without the digits at its end; the same when it has none.
std::string_view WithoutNumber(std::string_view name) {
  while (!name.empty() && IsDigit(name.back())) name.remove_suffix(1);
  return name;
}

}  // namespace

bool IsWatchedDisk(std::string_view name) {
  const std::string_view stem = WithoutNumber(name);
  if (stem.size() == name.size()) return true;
  for (const std::string_view virtual_device : {"ram", "zram", "loop", "fd"}) {
    if (stem == virtual_device) return false;
  }
  // Partitions: sda1, vdb2, xvda1, hdc3 and nvme0n1p1, mmcblk0p1.
  for (const std::string_view prefix : {"hd", "sd", "vd", "xvd"}) {
    if (stem.starts_with(prefix) && stem.size() > prefix.size()) return false;
  }
  const bool numbered_partition = stem.size() > 1 && stem.back() == 'p' && IsDigit(stem[stem.size() - 2]);
  return !numbered_partition;
}

base::Status ParseDiskstats(std::string_view text, std::vector<DiskStats>& disks) {
  disks.clear();
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    DiskStats disk;
    if (!ReadRow(line, disk)) return MalformedLine(kPath, lines.number(), line, "no device with 11 numbers");
    if (disks.size() == kMaxDiskRows) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} lines", kPath, kMaxDiskRows);
    }
    disks.push_back(disk);
  }
  return base::OkStatus();
}

}  // namespace ashlar::node
