#include "node/checks/mounts.h"

#include <algorithm>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr absl::Duration kServerDeadline = absl::Seconds(1);

bool Holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

base::Json UsageToJson(const FileSystemUsage& usage) {
  return base::JsonArray{usage.total_bytes, usage.free_bytes,       usage.available_bytes, usage.total_inodes,
                         usage.free_inodes, usage.available_inodes, usage.read_only};
}

base::StatusOr<FileSystemUsage> UsageFromText(const std::string& text) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::ParseJson(text));
  if (json.is_string()) return base::Error(base::StatusCode::kUnavailable, "{}", std::string_view(json.get_string()));
  constexpr size_t kFields = 7;
  if (!json.is_array() || json.get_array().size() != kFields) {
    return base::Error(base::StatusCode::kInternal, "the child's answer is not a usage");
  }
  const auto& fields = json.get_array();
  return FileSystemUsage{.total_bytes = fields[0].to_number<uint64_t>(),
                         .free_bytes = fields[1].to_number<uint64_t>(),
                         .available_bytes = fields[2].to_number<uint64_t>(),
                         .total_inodes = fields[3].to_number<uint64_t>(),
                         .free_inodes = fields[4].to_number<uint64_t>(),
                         .available_inodes = fields[5].to_number<uint64_t>(),
                         .read_only = fields[6].as_bool()};
}

base::StatusOr<FileSystemUsage> UsageWithDeadline(const KernelCalls& kernel, const std::string& path) {
  const auto work = [&] {
    const auto usage = kernel.Usage(path);
    return base::WriteJson(usage.ok() ? UsageToJson(*usage) : base::Json(base::Message(usage.status())));
  };
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, os::RunIsolated(work, {.deadline = kServerDeadline}));
  return UsageFromText(text);
}

struct RoomSeen {
  std::string tightest;  // mount point
  double least_share = 2;
  std::vector<std::string> too_full;
  std::vector<std::string> unreadable;
};

RoomSeen LookAt(const std::vector<MountUsage>& mounts, const RoomQuestion& question, double least) {
  RoomSeen seen;
  for (const auto& [mount, usage] : mounts) {
    if (!usage.ok()) {
      seen.unreadable.push_back(fmt::format("{}: {}", mount.mount_point, base::Message(usage.status())));
      continue;
    }
    const double share = usage->read_only || mount.read_only ? -1 : question.share(*usage);
    if (share < 0) continue;
    if (share < least) seen.too_full.push_back(mount.mount_point);
    if (share < seen.least_share) {
      seen.least_share = share;
      seen.tightest = mount.mount_point;
    }
  }
  return seen;
}

}  // namespace

base::StatusOr<std::vector<MountLine>> ReadMounts(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read("/proc/self/mountinfo"));
  ASHLAR_ASSIGN_OR_RETURN(auto mounts, ParseMountinfo(text));
  if (mounts.empty()) return base::Error(base::StatusCode::kInvalidArgument, "/proc/self/mountinfo is empty");
  return mounts;
}

base::StatusOr<std::vector<MountLine>> DiskMounts(const CheckContext& context) {
  const auto types = context.expectations.TextList("disk_types");
  if (!types) return base::Error(base::StatusCode::kFailedPrecondition, "state node.disk_types in the configuration");
  ASHLAR_ASSIGN_OR_RETURN(auto mounts, ReadMounts(context.system));
  std::erase_if(mounts, [&](const MountLine& mount) { return !Holds(types->value, mount.type); });
  std::stable_sort(mounts.begin(), mounts.end(), [](const MountLine& left, const MountLine& right) {
    return left.mount_point.size() < right.mount_point.size();
  });
  std::vector<MountLine> once;
  for (auto& mount : mounts) {
    const bool seen = std::any_of(once.begin(), once.end(), [&](const MountLine& other) {
      // Overlays of different containers share the name "overlay".
      return other.device == mount.device && mount.device.find('/') != std::string::npos;
    });
    if (!seen) once.push_back(std::move(mount));
  }
  return once;
}

base::StatusOr<std::vector<MountUsage>> DiskUsage(const CheckContext& context) {
  ASHLAR_ASSIGN_OR_RETURN(const auto mounts, DiskMounts(context));
  const auto network = context.expectations.TextList("network_types");
  std::vector<MountUsage> usages;
  for (const auto& mount : mounts) {
    const bool may_hang = network && Holds(network->value, mount.type);
    usages.push_back({mount, may_hang ? UsageWithDeadline(context.kernel, mount.mount_point)
                                      : context.kernel.Usage(mount.mount_point)});
  }
  return usages;
}

base::Finding JudgeRoom(const CheckContext& context, const RoomQuestion& question) {
  base::Finding finding = StartFinding({question.id, "statvfs of each disk in /proc/self/mountinfo", "share"});
  const auto least = context.expectations.Number(question.key);
  if (!least) return CannotTell(std::move(finding), fmt::format("state node.{} in the configuration", question.key));
  Expect(finding, fmt::format(">= {} free", Percent(least->value)), least->source);
  const auto mounts = DiskUsage(context);
  if (!mounts.ok()) return CannotTell(std::move(finding), mounts.status());
  const RoomSeen seen = LookAt(*mounts, question, least->value);
  if (!seen.tightest.empty()) finding.value = seen.least_share;
  if (!seen.too_full.empty()) {
    return Fail(std::move(finding),
                fmt::format("too little {} on {}: {}", question.what, FewNames(seen.too_full), question.remedy));
  }
  if (!seen.unreadable.empty()) {
    return CannotTell(std::move(finding),
                      fmt::format("cannot read {}; unmount it or mend its server", FewNames(seen.unreadable)));
  }
  if (seen.tightest.empty()) {
    return DoesNotApply(std::move(finding), "no file system of a disk that is writable and counts this is mounted");
  }
  return Pass(std::move(finding));
}

}  // namespace ashlar::node
