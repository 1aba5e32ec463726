#include "node/disk.h"

#include <limits>

#include "node/json_value.h"
#include "node/kernel/diskstats.h"
#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kClass = "/sys/block";

void ReadSize(const os::SysReader& system, const std::string& path, Disk& disk) {
  base::StatusOr<int64_t> sectors = system.ReadInt(path + "/size");
  constexpr int64_t kMostSectors = std::numeric_limits<int64_t>::max() / static_cast<int64_t>(kSectorBytes);
  if (sectors.ok() && (*sectors < 0 || *sectors > kMostSectors)) {
    sectors = base::Error(base::StatusCode::kInvalidArgument, "{}/size: {} sectors cannot be", path, *sectors);
  }
  if (sectors.ok()) {
    disk.size_bytes = static_cast<uint64_t>(*sectors) * kSectorBytes;
  } else {
    AddUnknown(disk.unknowns, "size_bytes", sectors.status());
  }
}

void ReadRotational(const os::SysReader& system, const std::string& path, Disk& disk) {
  base::StatusOr<int64_t> rotational = system.ReadInt(path + "/queue/rotational");
  if (rotational.ok() && *rotational != 0 && *rotational != 1) {
    rotational = base::Error(base::StatusCode::kInvalidArgument, "{}/queue/rotational is {}", path, *rotational);
  }
  if (rotational.ok()) {
    disk.rotational = *rotational == 1;
  } else {
    AddUnknown(disk.unknowns, "rotational", rotational.status());
  }
}

Disk ReadDisk(const os::SysReader& system, const std::string& name) {
  Disk disk;
  disk.name = name;
  disk.nvme = name.starts_with("nvme");
  const std::string path = fmt::format("{}/{}", kClass, name);
  ReadSize(system, path, disk);
  ReadRotational(system, path, disk);
  base::StatusOr<std::string> text = system.ReadTrimmed(path + "/queue/scheduler");
  base::StatusOr<std::string> scheduler = text.ok() ? ParseScheduler(*text) : text.status();
  if (scheduler.ok()) {
    disk.scheduler = *std::move(scheduler);
  } else {
    AddUnknown(disk.unknowns, "scheduler", scheduler.status());
  }
  // Virtual disks (virtio, device mapper) have no model; that is not a failure to read one.
  text = system.ReadTrimmed(path + "/device/model");
  if (text.ok() && !text->empty()) {
    disk.model = *std::move(text);
  } else if (!text.ok() && !absl::IsNotFound(text.status())) {
    AddUnknown(disk.unknowns, "model", text.status());
  }
  return disk;
}

}  // namespace

base::StatusOr<std::string> ParseScheduler(std::string_view text) {
  const std::string_view trimmed = base::Trim(text);
  const size_t open = trimmed.find('[');
  const size_t close = trimmed.find(']');
  std::string_view name;
  if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
    name = trimmed.substr(open + 1, close - open - 1);
  } else if (open == close && trimmed.find_first_of(" \t\n") == std::string_view::npos) {
    name = trimmed;
  }
  if (name.empty() || Excerpt(name) != name) {
    return base::Error(base::StatusCode::kInvalidArgument, "`{}` names no scheduler", Excerpt(trimmed));
  }
  return std::string(name);
}

base::StatusOr<std::vector<Disk>> ReadDisks(const os::SysReader& system) {
  std::vector<Disk> disks;
  if (!system.Exists(kClass)) return disks;
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> names, system.List(kClass));
  for (const std::string& name : names) {
    if (!IsWatchedDisk(name)) continue;
    if (disks.size() == kMaxDisks) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} disks", kClass, kMaxDisks);
    }
    disks.push_back(ReadDisk(system, name));
  }
  return disks;
}

base::Json DiskToJson(const Disk& disk) {
  return base::JsonObject{{"name", ToJson(disk.name)},
                          {"model", ValueOrNull(disk.model)},
                          {"size_bytes", ValueOrNull(disk.size_bytes)},
                          {"rotational", ValueOrNull(disk.rotational)},
                          {"nvme", disk.nvme},
                          {"scheduler", ValueOrNull(disk.scheduler)}};
}

}  // namespace ashlar::node
