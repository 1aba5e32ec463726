#include "node/nhc/azure_checks.h"

#include <algorithm>
#include <optional>

#include "node/checks/finding.h"
#include "node/checks/gpu_access.h"
#include "node/checks/gpu_count.h"
#include "node/checks/gpu_nvlink.h"
#include "node/checks/gpu_persistence.h"
#include "node/checks/gpu_throttling.h"
#include "node/checks/kernel_errors.h"
#include "node/checks/machine_facts.h"
#include "node/checks/nvme_count.h"
#include "node/checks/process_stat.h"
#include "node/infiniband.h"
#include "node/nhc/arguments.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

// A line of the configuration is itself the claim that its question arises on this machine.
base::Finding RequireAnswer(base::Finding finding) {
  if (finding.verdict != base::Verdict::kNotApplicable) return finding;
  std::string reason = finding.reason + ", and the line asks for one: look for it (lspci), or take the line out";
  return CannotTell(std::move(finding), std::move(reason));
}

base::StatusOr<uint64_t> TakenForGranted(std::string_view key) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json json, base::EmbeddedYaml("node/nhc.yaml"));
  const base::Json* value = base::FindPath(json, fmt::format("{}.value", key));
  if (value == nullptr || !value->is_number()) {
    return base::Error(base::StatusCode::kInternal, "data/node/nhc.yaml: want a number {}", key);
  }
  return value->to_number<uint64_t>();
}

// The number of GPUs or disks, which must be met exactly.
struct CountPlan {
  NativeCheck native;
  std::string_view key;
  uint64_t count = 0;
};

base::Finding CheckCount(const CheckContext& context, const CountPlan& plan) {
  base::Finding finding = RunNative(context, plan.native, base::JsonObject{{plan.key, plan.count}});
  finding.expectation = fmt::format("{}", plan.count);
  const bool more = finding.value.is_number() && finding.value.to_number<uint64_t>() > plan.count;
  if (!more) return finding;
  return Fail(std::move(finding), "there are more than the line says: correct the line, or look at the machine's size");
}

base::StatusOr<MappedCheck> MapCount(const std::string& number, CountPlan plan, absl::Duration time_limit) {
  ASHLAR_ASSIGN_OR_RETURN(plan.count, ParseNhcNumber(number));
  return MappedCheck{.becomes = fmt::format("{}: exactly {}", plan.native.id, plan.count),
                     .time_limit = time_limit,
                     .run = [plan](const CheckContext& context) { return CheckCount(context, plan); }};
}

struct EccPlan {
  uint64_t dram = 0;
  uint64_t sram = 0;
};

struct EccSeen {
  std::vector<std::string> faults;
  std::vector<std::string> open;
  uint64_t errors = 0;
};

// The drivers give totals of both memories. What no division of the total could make wrong is fine, what none could
// make right is a fault; in between nothing is said.
void JudgeErrors(const Gpu& gpu, const EccPlan& plan, EccSeen& seen) {
  const GpuEcc& ecc = gpu.ecc;
  if (!ecc.volatile_corrected || !ecc.volatile_uncorrected || !ecc.aggregate_corrected || !ecc.aggregate_uncorrected) {
    seen.open.push_back(GpuLabel(gpu) + " gives no error counts");
    return;
  }
  const uint64_t uncorrected = std::max(*ecc.volatile_uncorrected, *ecc.aggregate_uncorrected);
  const uint64_t corrected = std::max(*ecc.volatile_corrected, *ecc.aggregate_corrected);
  seen.errors += uncorrected + corrected;
  const std::string label = GpuLabel(gpu);
  // AzNHC takes no uncorrected error in SRAM, and in DRAM as many as corrected ones.
  if (uncorrected > plan.dram) {
    seen.faults.push_back(fmt::format("{} had {} uncorrected errors", label, uncorrected));
  } else if (uncorrected > 0) {
    seen.open.push_back(fmt::format("{} had {} uncorrected errors, in SRAM or DRAM", label, uncorrected));
  }
  const bool surely_more = corrected > plan.dram && corrected - plan.dram > plan.sram;
  if (surely_more) {
    seen.faults.push_back(fmt::format("{} had {} corrected errors", label, corrected));
  } else if (corrected > std::min(plan.dram, plan.sram)) {
    seen.open.push_back(fmt::format("{} had {} corrected errors, in SRAM or DRAM", label, corrected));
  }
}

void JudgeGpu(const Gpu& gpu, const EccPlan& plan, EccSeen& seen) {
  if (!gpu.handle.ok()) {
    seen.faults.push_back(fmt::format("{}: {}", GpuLabel(gpu), base::Message(gpu.handle)));
    return;
  }
  if (!gpu.remapped_rows) {
    seen.open.push_back(GpuLabel(gpu) + " has no remapped rows to tell of (retired pages are not read)");
    return;
  }
  if (gpu.remapped_rows->failed) seen.faults.push_back(GpuLabel(gpu) + " has no spare rows left");
  if (gpu.remapped_rows->pending) seen.faults.push_back(GpuLabel(gpu) + " waits for a reset to remap rows");
  JudgeErrors(gpu, plan, seen);
}

base::Finding CheckEcc(const CheckContext& context, const EccPlan& plan) {
  base::Finding finding =
      StartFinding({"ecc", "NVML nvmlDeviceGetTotalEccErrors, nvmlDeviceGetRemappedRows", "errors"});
  Expect(finding,
         fmt::format("<= {} in DRAM, <= {} corrected and no uncorrected in SRAM of each GPU", plan.dram, plan.sram),
         "");
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return RequireAnswer(*std::move(instead));
  EccSeen seen;
  for (const auto& gpu : view.gpus) JudgeGpu(gpu, plan, seen);
  finding.value = seen.errors;
  if (!seen.faults.empty()) {
    return Fail(std::move(finding), fmt::format("{}: drain the machine and reset the GPU, report it when it comes back",
                                                FewNames(seen.faults)));
  }
  if (!seen.open.empty()) {
    return CannotTell(std::move(finding), fmt::format("{}: see nvidia-smi -q -d ECC,PAGE_RETIREMENT and ashlar check "
                                                      "--only gpu-ecc",
                                                      FewNames(seen.open)));
  }
  return Pass(std::move(finding));
}

// A quiet log proves nothing of GPUs that are not there.
base::Finding RequirePciGpu(const CheckContext& context, base::Finding finding) {
  if (finding.verdict != base::Verdict::kPass) return finding;
  const auto on_pci = CountPciGpus(context.system);
  if (!on_pci.ok()) return CannotTell(std::move(finding), on_pci.status());
  if (on_pci->total() > 0) return finding;
  return RequireAnswer(DoesNotApply(std::move(finding), "no GPU here"));
}

// The catalogue of data/node/xid.yaml decides, and the numbers that AzNHC fails besides.
base::Finding CheckXid(const CheckContext& context, uint64_t hours) {
  base::Finding finding = RunNative(context, {&CheckKernelErrors, "kernel-errors-gpu"},
                                    base::JsonObject{{"kernel_log_window_hours", hours}});
  const auto listed = base::EmbeddedYaml("node/nhc.yaml");
  const base::Json* numbers = listed.ok() ? base::FindPath(*listed, "gpu_xid_numbers.value") : nullptr;
  if (numbers == nullptr || !numbers->is_array()) {
    return CannotTell(std::move(finding), "data/node/nhc.yaml: want a list gpu_xid_numbers");
  }
  if (finding.verdict == base::Verdict::kFail || !finding.value.is_array()) return finding;
  std::vector<std::string> faults;
  for (const auto& event : finding.value.get_array()) {
    const auto id = base::GetString(event, "id");
    for (const auto& number : numbers->get_array()) {
      if (id.ok() && *id == fmt::format("xid-{}", number.to_number<uint64_t>())) faults.push_back(*id);
    }
  }
  if (faults.empty()) return RequirePciGpu(context, std::move(finding));
  return Fail(std::move(finding),
              fmt::format("{}: AzNHC fails these; see the event's action, drain the machine when it "
                          "repeats",
                          FewNames(faults)));
}

base::Finding CheckNvlink(const CheckContext& context) {
  const NativeCheck native{&CheckGpuNvlink, "gpu-nvlink"};
  const auto view = ReadGpuView(context);
  base::Finding finding = RunNative(context, native, nullptr);
  // GPUs without NVLink are what AzNHC passes; no GPU at all is not.
  return view.status().code() == base::StatusCode::kNotFound ? RequireAnswer(std::move(finding)) : finding;
}

// NVIDIA's GPUs that run their jobs below what they can.
base::Finding CheckAppClocks(const CheckContext& context) {
  base::Finding finding =
      StartFinding({"app-clocks", "NVML nvmlDeviceGetApplicationsClock, nvmlDeviceGetMaxClockInfo"});
  Expect(finding, "application clocks at their maximum", "");
  auto [view, instead] = StartGpuCheck(context, finding);
  if (instead) return RequireAnswer(*std::move(instead));
  std::vector<std::string> slow;
  std::vector<std::string> unreadable;
  uint64_t fine = 0;
  for (const auto& gpu : view.gpus) {
    const GpuClocks& own = gpu.application_clocks;
    const GpuClocks& most = gpu.maximum_clocks;
    if (!own.sm_mhz || !own.memory_mhz || !most.sm_mhz || !most.memory_mhz) {
      unreadable.push_back(GpuLabel(gpu));
    } else if (*own.sm_mhz < *most.sm_mhz || *own.memory_mhz < *most.memory_mhz) {
      slow.push_back(fmt::format("{} at {} of {} MHz, memory {} of {} MHz", GpuLabel(gpu), *own.sm_mhz, *most.sm_mhz,
                                 *own.memory_mhz, *most.memory_mhz));
    } else {
      ++fine;
    }
  }
  finding.value = fmt::format("{} of {}", fine, view.gpus.size());
  if (!slow.empty()) return Fail(std::move(finding), fmt::format("{}: nvidia-smi -rac", FewNames(slow)));
  if (!unreadable.empty()) {
    return CannotTell(std::move(finding), fmt::format("{} does not tell its application clocks: see nvidia-smi -q -d "
                                                      "CLOCK",
                                                      FewNames(unreadable)));
  }
  return Pass(std::move(finding));
}

struct FlapPlan {
  uint64_t hours = 0;
  uint64_t allowed = 0;
};

base::Finding JudgeFlaps(base::Finding finding, const std::vector<std::string>& flapped, const FlapPlan& plan,
                         const base::StatusOr<absl::Duration>& uptime) {
  if (flapped.empty()) return Pass(std::move(finding));
  // The counters have no times; only on a machine that is younger than the window all of it was within.
  if (uptime.ok() && *uptime <= absl::Hours(static_cast<int64_t>(plan.hours))) {
    return Fail(std::move(finding),
                fmt::format("{} went down: check cable and switch port, report the machine", FewNames(flapped)));
  }
  return CannotTell(std::move(finding),
                    fmt::format("{} went down since the counters began, and not known when: see the kernel log (dmesg "
                                "| grep -i link), reset the counters (perfquery -R)",
                                FewNames(flapped)));
}

base::Finding CheckFlapping(const CheckContext& context, const FlapPlan& plan) {
  base::Finding finding = StartFinding({"flapping", "/sys/class/infiniband/*/ports/*/counters/link_downed", "times"});
  Expect(finding, fmt::format("<= {} times down within {} h", plan.allowed, plan.hours), "");
  const auto devices = ReadRdmaDevices(context.system);
  if (!devices.ok()) return CannotTell(std::move(finding), devices.status());
  std::vector<std::string> flapped;
  uint64_t ports = 0;
  uint64_t most = 0;
  for (const auto& device : *devices) {
    for (const auto& port : device.ports) {
      if (port.link_layer && *port.link_layer != "InfiniBand") continue;
      const std::string name = fmt::format("{}:{}", device.name, port.number);
      const auto downed = port.counters.find("link_downed");
      if (!port.link_layer || downed == port.counters.end()) {
        return CannotTell(std::move(finding), fmt::format("{} gives no count link_downed", name));
      }
      ++ports;
      most = std::max(most, downed->second);
      if (downed->second > plan.allowed) flapped.push_back(fmt::format("{} {} times", name, downed->second));
    }
  }
  if (ports == 0) {
    return CannotTell(std::move(finding),
                      "no InfiniBand port is here, and the line asks for one: look for it (lspci), "
                      "or take the line out");
  }
  finding.value = most;
  const auto text = context.system.Read("/proc/uptime");
  const auto uptime = text.ok() ? ParseUptime(*text) : text.status();
  return JudgeFlaps(std::move(finding), flapped, plan, uptime);
}

constexpr uint64_t kMostHours = 24 * 366;

base::StatusOr<uint64_t> ParseHours(const std::string& text) {
  const auto hours = ParseNhcNumber(text);
  if (hours.ok() && *hours > 0 && *hours <= kMostHours) return *hours;
  return base::Error(base::StatusCode::kUnimplemented,
                     "\"{}\" is no number of hours; another log than the kernel's is not read", text);
}

}  // namespace

base::StatusOr<MappedCheck> MapGpuCount(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 2, "COUNT [nvidia | rocm]"));
  const bool known = arguments.size() < 2 || arguments[1] == "nvidia" || arguments[1] == "rocm";
  if (!known) {
    return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" is no kind of GPU: want nvidia or rocm",
                       arguments[1]);
  }
  return MapCount(arguments[0], {.native = {&CheckGpuCount, "gpu-count"}, .key = "gpu_count"}, kNhcDriver);
}

base::StatusOr<MappedCheck> MapNvmeCount(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 1, 1, "COUNT"));
  return MapCount(arguments[0], {.native = {&CheckNvmeCount, "nvme-count"}, .key = "nvme_count"}, kNhcQuick);
}

base::StatusOr<MappedCheck> MapGpuEcc(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 2, 2, "the limits for DRAM and SRAM"));
  EccPlan plan;
  ASHLAR_ASSIGN_OR_RETURN(plan.dram, ParseNhcNumber(arguments[0]));
  ASHLAR_ASSIGN_OR_RETURN(plan.sram, ParseNhcNumber(arguments[1]));
  return MappedCheck{
      .becomes = fmt::format("ECC counts and remapped rows: <= {} in DRAM, <= {} in SRAM", plan.dram, plan.sram),
      .time_limit = kNhcDriver,
      .run = [plan](const CheckContext& context) { return CheckEcc(context, plan); }};
}

base::StatusOr<MappedCheck> MapGpuXid(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 1, "[HOURS]"));
  uint64_t hours = 0;  // since boot: the whole log, as AzNHC reads it
  if (!arguments.empty()) {
    ASHLAR_ASSIGN_OR_RETURN(hours, ParseHours(arguments[0]));
  }
  return MappedCheck{.becomes = fmt::format("kernel-errors-gpu: no GPU fault {}",
                                            hours == 0 ? "since boot" : fmt::format("in the last {} h", hours)),
                     .run = [hours](const CheckContext& context) { return CheckXid(context, hours); }};
}

base::StatusOr<MappedCheck> MapGpuPersistence(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 0, "no argument"));
  return MappedCheck{.becomes = "gpu-persistence: on; nothing is switched on",
                     .time_limit = kNhcDriver,
                     .run = [](const CheckContext& context) {
                       return RequireAnswer(RunNative(context, {&CheckGpuPersistence, "gpu-persistence"},
                                                      base::JsonObject{{"gpu_persistence", true}}));
                     }};
}

base::StatusOr<MappedCheck> MapGpuClockThrottling(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 0, "no argument"));
  return MappedCheck{.becomes = "gpu-throttling: each reason by itself; fails where AzNHC warns",
                     .time_limit = kNhcDriver,
                     .run = [](const CheckContext& context) {
                       return RequireAnswer(RunNative(context, {&CheckGpuThrottling, "gpu-throttling"}, nullptr));
                     }};
}

base::StatusOr<MappedCheck> MapAppGpuClocks(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 0, "no argument"));
  return MappedCheck{.becomes = "application clocks of each GPU: at their maximum; nothing is set",
                     .time_limit = kNhcDriver,
                     .run = &CheckAppClocks};
}

base::StatusOr<MappedCheck> MapNvlinkStatus(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 0, "no argument"));
  return MappedCheck{.becomes = "gpu-nvlink: as many links active as the design of the size has, or as the best GPU",
                     .time_limit = kNhcDriver,
                     .run = &CheckNvlink};
}

base::StatusOr<MappedCheck> MapIbLinkFlapping(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 0, 1, "[HOURS]; what more means differs between versions of AzNHC"));
  FlapPlan plan;
  ASHLAR_ASSIGN_OR_RETURN(plan.hours, TakenForGranted("link_flapping_hours"));
  ASHLAR_ASSIGN_OR_RETURN(plan.allowed, TakenForGranted("link_flapping_events"));
  if (!arguments.empty()) {
    ASHLAR_ASSIGN_OR_RETURN(plan.hours, ParseHours(arguments[0]));
  }
  return MappedCheck{
      .becomes = fmt::format("link_downed of each InfiniBand port: <= {} times within {} h", plan.allowed, plan.hours),
      .run = [plan](const CheckContext& context) { return CheckFlapping(context, plan); }};
}

}  // namespace ashlar::node
