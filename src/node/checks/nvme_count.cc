#include "node/checks/nvme_count.h"

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kClass = "/sys/class/nvme";

}  // namespace

// A controller that is resetting or dead keeps its entry; only its state tells.
std::vector<base::Finding> CheckNvmeCount(const CheckContext& context) {
  base::Finding finding = StartFinding({"nvme-count", "/sys/class/nvme/*/state", "disks"});
  const auto expected = context.expectations.Whole("nvme_count");
  const auto names = context.system.List(kClass);
  if (!names.ok() && names.status().code() != base::StatusCode::kNotFound) {
    return {CannotTell(std::move(finding), names.status())};
  }
  const std::vector<std::string> disks = names.ok() ? *names : std::vector<std::string>{};
  std::vector<std::string> not_live;
  for (const auto& disk : disks) {
    const auto state = context.system.ReadTrimmed(fmt::format("{}/{}/state", kClass, disk));
    if (!state.ok()) return {CannotTell(std::move(finding), state.status())};
    if (*state != "live") not_live.push_back(fmt::format("{} ({})", disk, *state));
  }
  const uint64_t live = disks.size() - not_live.size();
  finding.value = live;
  if (expected) Expect(finding, fmt::format(">= {} live", expected->value), expected->source);
  if (!not_live.empty()) {
    return {Fail(std::move(finding), fmt::format("not live: {}; look at the kernel log, power the machine off and on, "
                                                 "replace the disk",
                                                 FewNames(not_live)))};
  }
  if (!expected) return {DoesNotApply(std::move(finding), "no number of disks is expected; state node.nvme_count")};
  if (live >= expected->value) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("{} NVMe disks are missing: power the machine off and on; redeploy or "
                                               "report it when they stay away",
                                               expected->value - live))};
}

}  // namespace ashlar::node
