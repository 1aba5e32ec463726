#include "node/checks/gpu_persistence.h"

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"

namespace ashlar::node {

// AMD's driver has no such mode: its GPUs are left out.
std::vector<base::Finding> CheckGpuPersistence(const CheckContext& context) {
  base::Finding finding = StartFinding({"gpu-persistence", "NVML nvmlDeviceGetPersistenceMode", "GPUs"});
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return {*std::move(instead)};
  const auto expected = context.expectations.Flag("gpu_persistence");
  if (!expected)
    return {DoesNotApply(std::move(finding), "nothing is expected; state node.gpu_persistence to check it")};
  const std::string_view wanted = expected->value ? "on" : "off";
  Expect(finding, std::string(wanted), expected->source);
  uint64_t fine = 0;
  std::vector<std::string> wrong;
  std::vector<std::string> unreadable;
  for (const auto& gpu : view.gpus) {
    if (gpu.vendor != GpuVendor::kNvidia) continue;
    if (!gpu.persistence) {
      unreadable.push_back(GpuLabel(gpu));
    } else if (*gpu.persistence == expected->value) {
      ++fine;
    } else {
      wrong.push_back(GpuLabel(gpu));
    }
  }
  finding.value = fine;
  if (!wrong.empty()) {
    return {Fail(std::move(finding), fmt::format("not {} on {}: systemctl enable --now nvidia-persistenced (or "
                                                 "nvidia-smi -pm {})",
                                                 wanted, FewNames(wrong), expected->value ? 1 : 0))};
  }
  if (!unreadable.empty()) {
    return {CannotTell(std::move(finding), fmt::format("{} does not tell: see nvidia-smi -q", FewNames(unreadable)))};
  }
  if (fine == 0) return {DoesNotApply(std::move(finding), "no NVIDIA GPU here")};
  return {Pass(std::move(finding))};
}

}  // namespace ashlar::node
