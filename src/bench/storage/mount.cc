#include "bench/storage/mount.h"

#include <sys/statfs.h>

#include <array>
#include <cstdint>

#include "bench/storage/limits.h"

namespace ashlar::bench {
namespace {

using base::Error;
using base::StatusCode;
using base::StatusOr;

struct FilesystemRow {
  std::string_view name;  // as in mountinfo; with and without "fuse." in front
  uint64_t magic;         // statfs f_type; 0 when only the name is known
  StorageKind kind;
};

// Magic numbers: linux/magic.h; Lustre lustre_user.h 0x0BD00BD0; GPFS "GPFS"; BeeGFS 0x19830326; ZFS 0x2FC12FC1.
constexpr std::array<FilesystemRow, 26> kFilesystems = {{
    {"ext4", 0xEF53, StorageKind::kLocal},          {"xfs", 0x58465342, StorageKind::kLocal},
    {"btrfs", 0x9123683E, StorageKind::kLocal},     {"zfs", 0x2FC12FC1, StorageKind::kLocal},
    {"f2fs", 0xF2F52010, StorageKind::kLocal},      {"bcachefs", 0xCA451A4E, StorageKind::kLocal},
    {"tmpfs", 0x01021994, StorageKind::kMemory},    {"ramfs", 0x858458F6, StorageKind::kMemory},
    {"devtmpfs", 0, StorageKind::kMemory},          {"hugetlbfs", 0x958458F6, StorageKind::kMemory},
    {"nfs", 0x6969, StorageKind::kNetwork},         {"nfs4", 0, StorageKind::kNetwork},
    {"cifs", 0xFF534D42, StorageKind::kNetwork},    {"smb3", 0xFE534D42, StorageKind::kNetwork},
    {"9p", 0x01021997, StorageKind::kNetwork},      {"virtiofs", 0, StorageKind::kNetwork},
    {"lustre", 0x0BD00BD0, StorageKind::kParallel}, {"beegfs", 0x19830326, StorageKind::kParallel},
    {"gpfs", 0x47504653, StorageKind::kParallel},   {"wekafs", 0, StorageKind::kParallel},
    {"ceph", 0x00C36400, StorageKind::kParallel},   {"pvfs2", 0x20030528, StorageKind::kParallel},
    {"overlay", 0x794C7630, StorageKind::kLayered}, {"fuse", 0x65735546, StorageKind::kLayered},
    {"fuseblk", 0, StorageKind::kLayered},          {"ecryptfs", 0xF15F, StorageKind::kLayered},
}};

// mountinfo writes blank, tab, newline and backslash as \ and three octal digits.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&text, i](size_t k) {
      return i + k < text.size() && text[i + k] >= '0' && text[i + k] <= '7' ? text[i + k] - '0' : -1;
    };
    if (text[i] == '\\' && digit(1) >= 0 && digit(2) >= 0 && digit(3) >= 0) {
      plain.push_back(static_cast<char>((digit(1) * 64 + digit(2) * 8 + digit(3)) & 0xff));
      i += 3;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

// Fields: id parent major:minor root mount_point options [optional...] - type source super_options.
std::optional<MountRow> ParseMountLine(std::string_view line) {
  const std::vector<std::string_view> words = base::SplitWords(line);
  size_t dash = 6;
  while (dash < words.size() && words[dash] != "-") ++dash;
  if (dash + 2 >= words.size()) return std::nullopt;
  if (words[4].empty() || words[4].front() != '/') return std::nullopt;
  return MountRow{std::string(words[2]), Unescape(words[4]), Unescape(words[dash + 1]), Unescape(words[dash + 2])};
}

bool Holds(std::string_view mount_point, std::string_view path) {
  if (mount_point == "/") return path.starts_with('/');
  return path.starts_with(mount_point) && (path.size() == mount_point.size() || path[mount_point.size()] == '/');
}

// The kernel's name of the device: the last part of the link that /sys keeps for each number. File systems without a
// block device of their own (nfs, btrfs) have none; their source says it.
std::string DeviceName(const os::SysReader& reader, const MountRow& row) {
  const StatusOr<std::string> link = reader.ReadLink(fmt::format("/sys/dev/block/{}", row.device_number));
  if (link.ok()) return link->substr(link->find_last_of('/') + 1);
  if (row.source.starts_with("/dev/")) return row.source.substr(5);
  return row.source.empty() ? "unknown" : row.source;
}

// Without /proc the number in statfs(2) still tells the type.
std::string FilesystemByMagic(const std::string& path) {
  struct statfs facts = {};
  if (statfs(path.c_str(), &facts) != 0) return "unknown";
  for (const FilesystemRow& row : kFilesystems) {
    if (row.magic != 0 && row.magic == (static_cast<uint64_t>(facts.f_type) & 0xffffffffU)) {
      return std::string(row.name);
    }
  }
  return "unknown";
}

std::string DirectInNameOnly(const StorageTarget& target) {
  if (target.kind == StorageKind::kMemory) {
    return fmt::format("{} keeps its files in memory, there is no disk behind it", target.filesystem);
  }
  if (target.filesystem == "zfs") {
    return "zfs answers from its own cache (ARC) even with O_DIRECT before version 2.3";
  }
  return "";
}

}  // namespace

std::string_view StorageKindName(StorageKind kind) {
  switch (kind) {
    case StorageKind::kLocal: return "local";
    case StorageKind::kNetwork: return "network";
    case StorageKind::kParallel: return "parallel";
    case StorageKind::kMemory: return "memory";
    case StorageKind::kLayered: return "layered";
  }
  return "unknown";
}

StorageKind KindOfFilesystem(std::string_view filesystem) {
  // Parallel file systems that mount through FUSE still are what they are: "fuse.beegfs", "fuse.ceph".
  std::string_view name = filesystem;
  const bool fuse = name.starts_with("fuse.");
  if (fuse) name.remove_prefix(5);
  for (const FilesystemRow& row : kFilesystems) {
    if (row.name == name) return row.kind;
  }
  return fuse ? StorageKind::kLayered : StorageKind::kLocal;
}

StatusOr<std::vector<MountRow>> ParseMountInfo(std::string_view text) {
  const std::vector<std::string_view> lines = base::SplitLines(text);
  if (lines.size() > kMaxMountInfoLines) {
    return Error(StatusCode::kResourceExhausted, "mountinfo has {} lines, more than {}", lines.size(),
                 kMaxMountInfoLines);
  }
  std::vector<MountRow> rows;
  for (std::string_view line : lines) {
    if (std::optional<MountRow> row = ParseMountLine(line)) rows.push_back(*std::move(row));
  }
  if (rows.empty()) return Error(StatusCode::kInvalidArgument, "mountinfo: no line is a mount");
  return rows;
}

const MountRow* FindMount(const std::vector<MountRow>& rows, std::string_view path) {
  const MountRow* best = nullptr;
  for (const MountRow& row : rows) {
    if (!Holds(row.mount_point, path)) continue;
    if (best == nullptr || row.mount_point.size() >= best->mount_point.size()) best = &row;
  }
  return best;
}

StorageTarget ReadStorageTarget(const os::SysReader& reader, const std::string& resolved_path) {
  StorageTarget target;
  target.filesystem = "unknown";
  target.device = "unknown";
  const StatusOr<std::string> text = reader.Read("/proc/self/mountinfo");
  const StatusOr<std::vector<MountRow>> rows = text.ok() ? ParseMountInfo(*text) : text.status();
  const MountRow* row = rows.ok() ? FindMount(*rows, resolved_path) : nullptr;
  if (row != nullptr) {
    target.filesystem = row->filesystem;
    target.mount_point = row->mount_point;
    target.device = DeviceName(reader, *row);
  } else {
    target.filesystem = FilesystemByMagic(resolved_path);
  }
  target.kind = KindOfFilesystem(target.filesystem);
  target.direct_in_name_only = DirectInNameOnly(target);
  return target;
}

}  // namespace ashlar::bench
