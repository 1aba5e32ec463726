#include "node/checks/gpu_throttling.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"

namespace ashlar::node {

// The reasons are a mask: each bit is looked at by itself, so that a fault beside "idle" is still a fault.
std::vector<base::Finding> CheckGpuThrottling(const CheckContext& context) {
  base::Finding finding = StartFinding({"gpu-throttling", "NVML nvmlDeviceGetCurrentClocksThrottleReasons"});
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return {*std::move(instead)};
  const auto allowed = context.expectations.TextList("gpu_throttling_allowed");
  if (!allowed) return {CannotTell(std::move(finding), "state node.gpu_throttling_allowed in the configuration")};
  Expect(finding, "nothing but " + base::Join(allowed->value, ", "), allowed->source);
  std::vector<std::string> held;
  std::vector<std::string> unreadable;
  for (const auto& gpu : view.gpus) {
    if (!gpu.throttle_reasons) {
      unreadable.push_back(GpuLabel(gpu));
      continue;
    }
    std::vector<std::string> reasons = ThrottleReasonNames(*gpu.throttle_reasons);
    std::erase_if(reasons, [&](const std::string& reason) { return MatchesAny(allowed->value, reason); });
    if (!reasons.empty()) held.push_back(fmt::format("{}: {}", GpuLabel(gpu), base::Join(reasons, " and ")));
  }
  finding.value = NamesToJson(held);
  if (!held.empty()) {
    return {Fail(std::move(finding), fmt::format("{}; thermal: check fans and air; power brake or hardware slowdown: "
                                                 "check power supplies, report the machine",
                                                 FewNames(held)))};
  }
  if (!unreadable.empty()) {
    return {CannotTell(std::move(finding), fmt::format("{} gives no throttle reasons: see nvidia-smi -q -d PERFORMANCE "
                                                       "or rocm-smi",
                                                       FewNames(unreadable)))};
  }
  return {Pass(std::move(finding))};
}

}  // namespace ashlar::node
