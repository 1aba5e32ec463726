#include "node/checks/gpu_ecc.h"

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"

namespace ashlar::node {
namespace {

struct EccLimits {
  std::optional<bool> enabled;
  uint64_t uncorrected = 0;
  uint64_t corrected = 0;
};

struct EccFaults {
  std::vector<std::string> faults;
  std::vector<std::string> unreadable;
  uint64_t errors = 0;
};

void LookAtRows(const Gpu& gpu, EccFaults& seen) {
  if (!gpu.remapped_rows) return;
  if (gpu.remapped_rows->failed) seen.faults.push_back(GpuLabel(gpu) + " has no spare rows left: replace it");
  if (gpu.remapped_rows->pending) seen.faults.push_back(GpuLabel(gpu) + " waits for a reset to remap rows");
}

void LookAtErrors(const Gpu& gpu, const EccLimits& limits, EccFaults& seen) {
  const GpuEcc& ecc = gpu.ecc;
  if (!ecc.volatile_uncorrected || !ecc.volatile_corrected) {
    seen.unreadable.push_back(GpuLabel(gpu) + " gives no error counts");
    return;
  }
  seen.errors += *ecc.volatile_uncorrected + *ecc.volatile_corrected;
  if (*ecc.volatile_uncorrected > limits.uncorrected) {
    seen.faults.push_back(fmt::format("{} had {} uncorrected errors", GpuLabel(gpu), *ecc.volatile_uncorrected));
  }
  if (*ecc.volatile_corrected > limits.corrected) {
    seen.faults.push_back(fmt::format("{} had {} corrected errors", GpuLabel(gpu), *ecc.volatile_corrected));
  }
}

void LookAtGpu(const Gpu& gpu, const EccLimits& limits, EccFaults& seen) {
  LookAtRows(gpu, seen);
  if (!gpu.ecc.enabled) {
    seen.unreadable.push_back(GpuLabel(gpu) + " does not tell whether ECC is on");
    return;
  }
  if (limits.enabled && *gpu.ecc.enabled != *limits.enabled) {
    seen.faults.push_back(fmt::format("{} has ECC {}", GpuLabel(gpu), *gpu.ecc.enabled ? "on" : "off"));
  }
  if (*gpu.ecc.enabled) LookAtErrors(gpu, limits, seen);
}

}  // namespace

// Volatile counts only: aggregates hold the board's whole life and would never be clean again.
std::vector<base::Finding> CheckGpuEcc(const CheckContext& context) {
  base::Finding finding = StartFinding({"gpu-ecc", "NVML nvmlDeviceGetEccMode, nvmlDeviceGetTotalEccErrors", "errors"});
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return {*std::move(instead)};
  const auto enabled = context.expectations.Flag("gpu_ecc_enabled");
  const auto uncorrected = context.expectations.Whole("gpu_uncorrected_errors");
  const auto corrected = context.expectations.Whole("gpu_corrected_errors");
  if (!uncorrected || !corrected) {
    return {CannotTell(std::move(finding), "state node.gpu_uncorrected_errors and node.gpu_corrected_errors")};
  }
  EccLimits limits{.uncorrected = uncorrected->value, .corrected = corrected->value};
  if (enabled) limits.enabled = enabled->value;
  Expect(finding,
         fmt::format("{}<= {} uncorrected, <= {} corrected each", enabled ? (enabled->value ? "on, " : "off, ") : "",
                     uncorrected->value, corrected->value),
         corrected->source);
  EccFaults seen;
  for (const auto& gpu : view.gpus) LookAtGpu(gpu, limits, seen);
  finding.value = seen.errors;
  if (!seen.faults.empty()) {
    return {Fail(std::move(finding), fmt::format("{}: drain the machine and reset the GPU (ECC: nvidia-smi -e 1); "
                                                 "report it when it comes back",
                                                 FewNames(seen.faults)))};
  }
  if (!seen.unreadable.empty()) {
    return {CannotTell(std::move(finding), fmt::format("{}: see nvidia-smi -q -d ECC", FewNames(seen.unreadable)))};
  }
  return {Pass(std::move(finding))};
}

}  // namespace ashlar::node
