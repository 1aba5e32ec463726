#include "node/checks/gpu_nvlink.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"

namespace ashlar::node {
namespace {

struct LinksSeen {
  uint64_t most_active = 0;
  uint64_t least_active = UINT64_MAX;
  uint64_t all = 0;  // links that the drivers list
  uint64_t active = 0;
  std::vector<std::string> counts;  // "GPU 0 (...): 17 of 18"
  std::vector<std::string> unreadable;
};

LinksSeen LookAt(const std::vector<Gpu>& gpus) {
  LinksSeen seen;
  for (const auto& gpu : gpus) {
    if (gpu.vendor != GpuVendor::kNvidia) continue;
    if (!gpu.links) {
      seen.unreadable.push_back(GpuLabel(gpu));
      continue;
    }
    const auto active = static_cast<uint64_t>(
        std::count_if(gpu.links->begin(), gpu.links->end(), [](const GpuLink& link) { return link.active; }));
    seen.most_active = std::max(seen.most_active, active);
    seen.least_active = std::min(seen.least_active, active);
    seen.all += gpu.links->size();
    seen.active += active;
    seen.counts.push_back(fmt::format("{}: {} of {}", GpuLabel(gpu), active, gpu.links->size()));
  }
  return seen;
}

base::Finding FailLinks(base::Finding finding, const LinksSeen& seen) {
  return Fail(std::move(finding),
              fmt::format("{}: see nvidia-smi nvlink -s and the fabric manager (systemctl status "
                          "nvidia-fabricmanager); reset the GPUs, report the machine when they stay "
                          "down",
                          FewNames(seen.counts)));
}

}  // namespace

// "Inactive" alone proves nothing, since some designs leave links unused; hence design counts from data, and peers.
std::vector<base::Finding> CheckGpuNvlink(const CheckContext& context) {
  base::Finding finding = StartFinding({"gpu-nvlink", "NVML nvmlDeviceGetNvLinkState", "links of each GPU"});
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return {*std::move(instead)};
  const LinksSeen seen = LookAt(view.gpus);
  const auto expected = context.expectations.Whole("gpu_nvlink_count");
  if (!seen.unreadable.empty()) {
    return {CannotTell(std::move(finding),
                       fmt::format("{} does not tell its links: see nvidia-smi nvlink -s", FewNames(seen.unreadable)))};
  }
  if (seen.counts.empty()) return {DoesNotApply(std::move(finding), "no NVIDIA GPU here")};
  finding.value = seen.least_active;
  if (expected) {
    Expect(finding, fmt::format(">= {}", expected->value), expected->source);
    if (seen.least_active >= expected->value) return {Pass(std::move(finding))};
    return {FailLinks(std::move(finding), seen)};
  }
  if (seen.all == 0) return {DoesNotApply(std::move(finding), "these GPUs have no NVLink")};
  Expect(finding, fmt::format("all equal to the best: {}", seen.most_active), "the best GPU of the machine");
  if (seen.least_active < seen.most_active) return {FailLinks(std::move(finding), seen)};
  if (seen.active == seen.all) return {Pass(std::move(finding))};
  return {CannotTell(std::move(finding), fmt::format("{}: some sizes have fewer by design (12 of 18 on NC H100); state "
                                                     "node.gpu_nvlink_count or node.size",
                                                     FewNames(seen.counts)))};
}

}  // namespace ashlar::node
