#include "node/cgroup.h"

#include <algorithm>

#include "node/json_value.h"
#include "node/kernel/cpu_list.h"
#include "node/kernel/mountinfo.h"
#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

// Version 1 writes "no limit" as the largest page-aligned number, whatever the page size.
constexpr uint64_t kUnlimitedMemory = uint64_t{1} << 62U;

// Where a hierarchy is mounted, and the path of this process's group in it.
struct Hierarchy {
  bool version_2 = false;
  std::string mount_point;
  std::string path;
};

template <typename Value>
void Tighten(std::optional<Value>& limit, Value value) {
  if (!limit || value < *limit) limit = value;
}

bool HasOption(const MountLine& mount, std::string_view option) {
  return std::find(mount.options.begin(), mount.options.end(), option) != mount.options.end();
}

// The hierarchy that has `controller` in version 1, or the one of version 2 for "".
std::optional<Hierarchy> FindHierarchy(const std::vector<CgroupLine>& lines, const std::vector<MountLine>& mounts,
                                       std::string_view controller) {
  const bool version_2 = controller.empty();
  const auto line = std::find_if(lines.begin(), lines.end(), [&](const CgroupLine& candidate) {
    if (version_2) return candidate.hierarchy == 0 && candidate.controllers.empty();
    return std::find(candidate.controllers.begin(), candidate.controllers.end(), controller) !=
           candidate.controllers.end();
  });
  const auto mount = std::find_if(mounts.begin(), mounts.end(), [&](const MountLine& candidate) {
    if (version_2) return candidate.type == "cgroup2";
    return candidate.type == "cgroup" && HasOption(candidate, controller);
  });
  if (line == lines.end() || mount == mounts.end()) return std::nullopt;
  return Hierarchy{version_2, mount->mount_point, line->path};
}

// This process's group first, then its parents up to the root of the hierarchy. Inside a container the path may belong
// to the host and not be there: then only what is there is asked.
std::vector<std::string> GroupFolders(const os::SysReader& system, const Hierarchy& hierarchy) {
  std::vector<std::string> folders;
  std::string path = hierarchy.path == "/" ? "" : hierarchy.path;
  while (!path.empty() && folders.size() < kMaxCgroupDepth) {
    if (system.Exists(hierarchy.mount_point + path)) folders.push_back(hierarchy.mount_point + path);
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  folders.push_back(hierarchy.mount_point);
  return folders;
}

// The text of a limit file; nullopt when this group has none, or says "max" or -1. Other failures are noted.
std::optional<std::string> LimitText(const os::SysReader& system, const std::string& path, std::string_view field,
                                     Unknowns& unknowns) {
  auto text = system.ReadTrimmed(path);
  if (absl::IsNotFound(text.status())) return std::nullopt;
  if (!text.ok()) {
    AddUnknown(unknowns, field, text.status());
    return std::nullopt;
  }
  if (*text == "max" || *text == "-1") return std::nullopt;
  return *std::move(text);
}

void NoteMalformed(Unknowns& unknowns, std::string_view field, const std::string& path, std::string_view text) {
  AddUnknown(unknowns, field,
             base::Error(base::StatusCode::kInvalidArgument, "{}: `{}` is no limit", path, Excerpt(text)));
}

void ReadNumber(const os::SysReader& system, const std::string& path, std::string_view field,
                std::optional<uint64_t>& limit, Unknowns& unknowns) {
  const auto text = LimitText(system, path, field, unknowns);
  if (!text) return;
  const auto number = base::ParseUint64(*text);
  if (!number) return NoteMalformed(unknowns, field, path, *text);
  if (*number < kUnlimitedMemory) Tighten(limit, *number);
}

// "max 100000" or "50000 100000" (version 2).
void ReadCpuMax(const os::SysReader& system, const std::string& path, CgroupLimits& limits, Unknowns& unknowns) {
  const auto text = LimitText(system, path, "cgroup.cpus", unknowns);
  if (!text || text->starts_with("max ")) return;
  WordScanner words(*text);
  uint64_t quota = 0;
  uint64_t period = 0;
  if (!words.NextUint64(quota) || !words.NextUint64(period) || period == 0 || !words.AtEnd()) {
    return NoteMalformed(unknowns, "cgroup.cpus", path, *text);
  }
  Tighten(limits.cpus, static_cast<double>(quota) / static_cast<double>(period));
}

void ReadCpuQuota(const os::SysReader& system, const std::string& folder, CgroupLimits& limits, Unknowns& unknowns) {
  const auto quota = LimitText(system, folder + "/cpu.cfs_quota_us", "cgroup.cpus", unknowns);
  if (!quota) return;
  const auto period = LimitText(system, folder + "/cpu.cfs_period_us", "cgroup.cpus", unknowns);
  const auto quota_number = base::ParseUint64(*quota);
  const auto period_number = base::ParseUint64(period.value_or(""));
  if (!quota_number || period_number.value_or(0) == 0) {
    return NoteMalformed(unknowns, "cgroup.cpus", folder + "/cpu.cfs_quota_us", *quota);
  }
  Tighten(limits.cpus, static_cast<double>(*quota_number) / static_cast<double>(*period_number));
}

// A cpuset holds the processors themselves: the group's own list is what counts. False when this folder has no list.
bool ReadCpuset(const os::SysReader& system, const std::string& path, CgroupLimits& limits, Unknowns& unknowns) {
  const auto text = LimitText(system, path, "cgroup.cpuset", unknowns);
  if (!text || text->empty()) return false;
  auto cpus = ParseCpuList(*text);
  if (!cpus.ok()) {
    NoteMalformed(unknowns, "cgroup.cpuset", path, *text);
  } else {
    limits.cpuset = *std::move(cpus);
  }
  return true;
}

void ReadVersion2(const os::SysReader& system, const Hierarchy& hierarchy, CgroupLimits& limits, Unknowns& unknowns) {
  bool cpuset = false;
  for (const std::string& folder : GroupFolders(system, hierarchy)) {
    ReadNumber(system, folder + "/memory.max", "cgroup.memory_bytes", limits.memory_bytes, unknowns);
    ReadNumber(system, folder + "/pids.max", "cgroup.processes", limits.processes, unknowns);
    ReadCpuMax(system, folder + "/cpu.max", limits, unknowns);
    cpuset = cpuset || ReadCpuset(system, folder + "/cpuset.cpus.effective", limits, unknowns);
  }
}

void ReadVersion1(const os::SysReader& system, const std::vector<CgroupLine>& lines,
                  const std::vector<MountLine>& mounts, CgroupLimits& limits, Unknowns& unknowns) {
  const auto each_folder = [&](std::string_view controller, const auto& read) {
    const auto hierarchy = FindHierarchy(lines, mounts, controller);
    if (!hierarchy) return;
    for (const std::string& folder : GroupFolders(system, *hierarchy)) read(folder);
  };
  each_folder("memory", [&](const std::string& folder) {
    ReadNumber(system, folder + "/memory.limit_in_bytes", "cgroup.memory_bytes", limits.memory_bytes, unknowns);
  });
  each_folder("pids", [&](const std::string& folder) {
    ReadNumber(system, folder + "/pids.max", "cgroup.processes", limits.processes, unknowns);
  });
  each_folder("cpu", [&](const std::string& folder) { ReadCpuQuota(system, folder, limits, unknowns); });
  bool found = false;
  each_folder("cpuset", [&](const std::string& folder) {
    found = found || ReadCpuset(system, folder + "/cpuset.effective_cpus", limits, unknowns) ||
            ReadCpuset(system, folder + "/cpuset.cpus", limits, unknowns);
  });
}

}  // namespace

base::StatusOr<std::vector<CgroupLine>> ParseCgroup(std::string_view text) {
  constexpr std::string_view kPath = "/proc/self/cgroup";
  std::vector<CgroupLine> lines;
  LineScanner scanner(text);
  std::string_view line;
  while (scanner.Next(line)) {
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    const auto hierarchy = base::ParseUint64(line.substr(0, first));
    if (second == std::string_view::npos || !hierarchy || line.substr(second + 1).substr(0, 1) != "/") {
      return MalformedLine(kPath, scanner.number(), line, "no `number:controllers:/path`");
    }
    CgroupLine parsed;
    parsed.hierarchy = *hierarchy;
    parsed.path = std::string(line.substr(second + 1));
    for (const std::string_view controller : base::Split(line.substr(first + 1, second - first - 1), ',')) {
      if (!controller.empty()) parsed.controllers.emplace_back(controller);
    }
    lines.push_back(std::move(parsed));
  }
  return lines;
}

CgroupLimits ReadCgroupLimits(const os::SysReader& system, Unknowns& unknowns) {
  CgroupLimits limits;
  const auto text = system.Read("/proc/self/cgroup");
  const auto lines = text.ok() ? ParseCgroup(*text) : text.status();
  const auto mounts_text = system.Read("/proc/self/mountinfo");
  const auto mounts = mounts_text.ok() ? ParseMountinfo(*mounts_text) : mounts_text.status();
  if (!lines.ok() || !mounts.ok()) {
    AddUnknown(unknowns, "cgroup", lines.ok() ? mounts.status() : lines.status());
    return limits;
  }
  const auto version_2 = FindHierarchy(*lines, *mounts, "");
  const auto memory_1 = FindHierarchy(*lines, *mounts, "memory");
  if (version_2) ReadVersion2(system, *version_2, limits, unknowns);
  ReadVersion1(system, *lines, *mounts, limits, unknowns);
  if (memory_1) {
    limits.version = 1;
    limits.path = memory_1->path;
  } else if (version_2) {
    limits.version = 2;
    limits.path = version_2->path;
  } else {
    AddUnknown(unknowns, "cgroup",
               base::Error(base::StatusCode::kNotFound, "no control groups are mounted; limits cannot be read"));
  }
  return limits;
}

base::Json CgroupLimitsToJson(const CgroupLimits& limits) {
  return base::JsonObject{{"version", ValueOrNull(limits.version)},
                          {"path", ValueOrNull(limits.path)},
                          {"cpus", ValueOrNull(limits.cpus)},
                          {"memory_bytes", ValueOrNull(limits.memory_bytes)},
                          {"processes", ValueOrNull(limits.processes)},
                          {"cpuset", limits.cpuset ? base::Json(FormatCpuList(*limits.cpuset)) : base::Json(nullptr)}};
}

}  // namespace ashlar::node
