#include "node/checks/read_only_mounts.h"

#include "node/checks/finding.h"
#include "node/checks/mounts.h"

namespace ashlar::node {

// ext4 and xfs go read-only when their disk fails, and stay so until someone looks: writes fail, reads go on.
std::vector<base::Finding> CheckReadOnlyMounts(const CheckContext& context) {
  base::Finding finding = StartFinding({"read-only-mounts", "/proc/self/mountinfo"});
  const auto mounts = DiskMounts(context);
  if (!mounts.ok()) return {CannotTell(std::move(finding), mounts.status())};
  if (mounts->empty()) return {DoesNotApply(std::move(finding), "no file system of a disk is mounted")};
  const auto allowed = context.expectations.TextList("read_only_allowed");
  Expect(finding, "no disk is read-only", allowed ? allowed->source : "");
  std::vector<std::string> read_only;
  for (const auto& mount : *mounts) {
    const bool fine = allowed && MatchesAny(allowed->value, mount.mount_point);
    if (mount.read_only && !fine) read_only.push_back(mount.mount_point);
  }
  finding.value = NamesToJson(read_only);
  if (read_only.empty()) return {Pass(std::move(finding))};
  return {Fail(std::move(finding),
               fmt::format("{} is read-only: if it was mounted so on purpose, add it to node.read_only_allowed; else "
                           "look for errors of its disk in the kernel log, repair it and mount it again",
                           FewNames(read_only)))};
}

}  // namespace ashlar::node
