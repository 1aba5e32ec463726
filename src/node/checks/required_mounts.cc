#include "node/checks/required_mounts.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/checks/mounts.h"

namespace ashlar::node {

// Without its mount a folder is still there, empty, on the root disk: a job then fills that disk.
std::vector<base::Finding> CheckRequiredMounts(const CheckContext& context) {
  base::Finding finding = StartFinding({"required-mounts", "/proc/self/mountinfo"});
  const auto required = context.expectations.TextList("mounts");
  if (!required || required->value.empty()) {
    return {DoesNotApply(std::move(finding), "nothing must be mounted; name folders in node.mounts to check them")};
  }
  Expect(finding, base::Join(required->value, ", "), required->source);
  const auto mounts = ReadMounts(context.system);
  if (!mounts.ok()) return {CannotTell(std::move(finding), mounts.status())};
  std::vector<std::string> missing;
  for (const auto& folder : required->value) {
    const bool found = std::any_of(mounts->begin(), mounts->end(),
                                   [&](const MountLine& mount) { return mount.mount_point == folder; });
    if (!found) missing.push_back(folder);
  }
  finding.value = fmt::format("{} of {}", required->value.size() - missing.size(), required->value.size());
  if (missing.empty()) return {Pass(std::move(finding))};
  return {Fail(std::move(finding),
               fmt::format("not mounted: {}; mount it (mount FOLDER), look at /etc/fstab", FewNames(missing)))};
}

}  // namespace ashlar::node
