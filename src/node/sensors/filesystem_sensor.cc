// Space of the local file systems. Network file systems are left out: asking one that hangs would hang the sample.
#include <sys/statvfs.h>

#include <cerrno>
#include <map>

#include "node/kernel/mountinfo.h"
#include "node/limits.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

constexpr FamilyPlan kPlans[] = {
    {"node_filesystem_avail_bytes", "Filesystem space available to non-root users in bytes."},
    {"node_filesystem_files", "Filesystem total file nodes."},
    {"node_filesystem_files_free", "Filesystem total free file nodes."},
    {"node_filesystem_free_bytes", "Filesystem free space in bytes."},
    {"node_filesystem_readonly", "Filesystem read-only status."},
    {"node_filesystem_size_bytes", "Filesystem size in bytes."},
};

bool IsLocal(std::string_view type) {
  for (const std::string_view local :
       {"ext4", "xfs", "tmpfs", "overlay", "btrfs", "ext3", "ext2", "f2fs", "zfs", "vfat", "bcachefs"}) {
    if (type == local) return true;
  }
  return false;
}

// As node_exporter's default: what the kernel or a container engine mounts for itself is of no interest.
bool IsWatched(std::string_view mount_point) {
  for (const std::string_view tree :
       {"/dev", "/proc", "/sys", "/run/credentials", "/var/lib/docker", "/var/lib/containers/storage"}) {
    if (mount_point.starts_with(tree) && (mount_point.size() == tree.size() || mount_point[tree.size()] == '/')) {
      return false;
    }
  }
  return true;
}

class FilesystemSensor final : public Sensor {
 public:
  explicit FilesystemSensor(const SamplerSources& sources) : system_(sources.system), space_(sources.space) {}

  std::string_view name() const override { return "filesystem"; }
  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : kPlans) board_.AddFamily(sample, plan);
  }

  base::Status Read(SourceSample& sample, absl::Duration now) override {
    if (!scanned_ || now - scanned_at_ >= kDeviceRescan) {
      ASHLAR_RETURN_IF_ERROR(Scan(sample));
      scanned_ = true;
      scanned_at_ = now;
    }
    base::Status worst;
    for (const auto& [labels, mount] : mounts_) {
      if (!mount.present) continue;
      const auto space = space_(mount.path);
      if (space.ok()) {
        Write(sample, mount, *space);
      } else if (worst.ok()) {
        worst = space.status();
      }
    }
    return worst;
  }

 private:
  struct Mounted {
    std::string path;  // below the reader's root
    size_t slot = 0;
    bool read_only = false;
    bool present = false;
  };

  // Finds out what is mounted; the list changes seldom and is dear to read.
  base::Status Scan(SourceSample& sample) {
    ASHLAR_ASSIGN_OR_RETURN(const std::string text, system_.Read("/proc/self/mountinfo"));
    ASHLAR_ASSIGN_OR_RETURN(const std::vector<MountLine> lines, ParseMountinfo(text));
    for (auto& [labels, mount] : mounts_) mount.present = false;
    for (const MountLine& line : lines) {
      if (!IsLocal(line.type) || !IsWatched(line.mount_point)) continue;
      const std::string labels = fmt::format("{},{},{}", Label("device", line.device), Label("fstype", line.type),
                                             Label("mountpoint", line.mount_point));
      auto known = mounts_.find(labels);
      if (known == mounts_.end()) {
        if (mounts_.size() >= kMaxWatchedMounts) {
          return base::Error(base::StatusCode::kResourceExhausted, "more than {} local file systems",
                             kMaxWatchedMounts);
        }
        Mounted mount;
        mount.path = system_.root() + line.mount_point;
        mount.slot = board_.AddToAll(sample, labels);
        known = mounts_.emplace(labels, std::move(mount)).first;
      }
      known->second.read_only = line.read_only;
      known->second.present = true;
    }
    return base::OkStatus();
  }

  void Write(SourceSample& sample, const Mounted& mount, const FilesystemSpace& space) const {
    const double values[] = {static_cast<double>(space.available_bytes),
                             static_cast<double>(space.files),
                             static_cast<double>(space.free_files),
                             static_cast<double>(space.free_bytes),
                             mount.read_only ? 1.0 : 0.0,
                             static_cast<double>(space.size_bytes)};
    static_assert(std::size(values) == std::size(kPlans));
    for (size_t family = 0; family < std::size(values); ++family) {
      board_.SetGauge(sample, family, mount.slot, values[family]);
    }
  }

  const os::SysReader& system_;
  const SpaceReader& space_;
  std::map<std::string, Mounted> mounts_;  // by labels
  bool scanned_ = false;
  absl::Duration scanned_at_;
};

}  // namespace

base::StatusOr<FilesystemSpace> ReadFilesystemSpace(const std::string& path) {
  struct statvfs space = {};
  if (::statvfs(path.c_str(), &space) != 0)
    return base::ErrnoStatus(errno, fmt::format("asking the space of {}", path));
  const uint64_t block = space.f_frsize;
  return FilesystemSpace{space.f_blocks * block, space.f_bfree * block, space.f_bavail * block, space.f_files,
                         space.f_ffree};
}

std::unique_ptr<Sensor> MakeFilesystemSensor(const SamplerSources& sources) {
  return std::make_unique<FilesystemSensor>(sources);
}

}  // namespace ashlar::node
