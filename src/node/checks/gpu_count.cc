#include "node/checks/gpu_count.h"

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"
#include "node/checks/machine_facts.h"

namespace ashlar::node {
namespace {

struct ExpectedGpus {
  uint64_t count = 0;
  std::string source;
};

base::StatusOr<ExpectedGpus> ExpectedCount(const CheckContext& context) {
  if (const auto stated = context.expectations.Whole("gpu_count")) return ExpectedGpus{stated->value, stated->source};
  ASHLAR_ASSIGN_OR_RETURN(const PciGpus on_pci, CountPciGpus(context.system));
  return ExpectedGpus{on_pci.total(), "/sys/bus/pci/devices"};
}

base::Finding Judge(base::Finding finding, const GpuView& view, const ExpectedGpus& expected) {
  std::vector<std::string> lost;
  for (const auto& gpu : view.gpus) {
    if (!gpu.handle.ok()) lost.push_back(fmt::format("{}: {}", GpuLabel(gpu), base::Message(gpu.handle)));
  }
  const uint64_t usable = view.gpus.size() - lost.size();
  finding.value = usable;
  if (!lost.empty()) {
    return Fail(std::move(finding), fmt::format("{}; drain the machine, power it off and on, report it when it comes "
                                                "back",
                                                FewNames(lost)));
  }
  if (usable < expected.count) {
    return Fail(std::move(finding),
                fmt::format("{} GPUs are missing: see lspci, the kernel log (kernel-errors-gpu) and "
                            "the driver (nvidia-smi, rocm-smi)",
                            expected.count - usable));
  }
  if (usable > expected.count) {
    return Fail(std::move(finding), "more GPUs than expected: correct node.gpu_count or node.size");
  }
  return Pass(std::move(finding));
}

}  // namespace

// PCI and the driver are counted apart: a GPU that fell off the bus is missing in both, one that the driver lost in
// one.
std::vector<base::Finding> CheckGpuCount(const CheckContext& context) {
  base::Finding finding = StartFinding({"gpu-count", "NVML nvmlDeviceGetCount_v2, ROCm SMI, /sys/bus/pci", "GPUs"});
  const auto expected = ExpectedCount(context);
  if (!expected.ok()) return {CannotTell(std::move(finding), expected.status())};
  Expect(finding, fmt::format("{}", expected->count), expected->source);
  const auto view = ReadGpuView(context);
  if (view.ok()) return {Judge(std::move(finding), *view, *expected)};
  if (view.status().code() == base::StatusCode::kNotFound) {
    return {DoesNotApply(std::move(finding), "no GPU here, and none is expected")};
  }
  const auto on_pci = CountPciGpus(context.system);
  if (on_pci.ok() && on_pci->total() == 0 && expected->count > 0) {
    finding.value = 0;
    return {Fail(std::move(finding), fmt::format("{} GPUs are missing, PCI shows none: power the machine off and on; "
                                                 "redeploy or report it",
                                                 expected->count))};
  }
  return {
      CannotTell(std::move(finding), fmt::format("{}; install or reload the driver", base::Message(view.status())))};
}

}  // namespace ashlar::node
