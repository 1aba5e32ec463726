#include "node/checks/memory_errors.h"

#include "node/checks/finding.h"
#include "node/checks/machine_facts.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kControllers = "/sys/devices/system/edac/mc";

struct MemoryErrors {
  uint64_t controllers = 0;
  uint64_t corrected = 0;
  uint64_t uncorrected = 0;
};

base::StatusOr<uint64_t> ReadCount(const os::SysReader& system, const std::string& path) {
  ASHLAR_ASSIGN_OR_RETURN(const int64_t count, system.ReadInt(path));
  if (count < 0) return base::Error(base::StatusCode::kInvalidArgument, "{}: {} is no count", path, count);
  return static_cast<uint64_t>(count);
}

// Source: Linux Documentation/ABI/testing/sysfs-devices-edac.
base::StatusOr<MemoryErrors> ReadErrors(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const auto names, system.List(kControllers));
  MemoryErrors errors;
  for (const auto& name : names) {
    if (!name.starts_with("mc") || !base::ParseUint64(std::string_view(name).substr(2))) continue;
    if (++errors.controllers > kMaxMemoryControllers) {
      return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} controllers", kControllers,
                         kMaxMemoryControllers);
    }
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t corrected,
                            ReadCount(system, fmt::format("{}/{}/ce_count", kControllers, name)));
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t uncorrected,
                            ReadCount(system, fmt::format("{}/{}/ue_count", kControllers, name)));
    errors.corrected += corrected;
    errors.uncorrected += uncorrected;
  }
  return errors;
}

base::Finding WithoutControllers(base::Finding finding, const os::SysReader& system) {
  const auto is_virtual = IsVirtualMachine(system);
  if (!is_virtual.ok()) return CannotTell(std::move(finding), is_virtual.status());
  if (*is_virtual) {
    return DoesNotApply(std::move(finding), "no memory controller shows in a virtual machine: its host watches them");
  }
  return CannotTell(std::move(finding),
                    "no memory controller reports errors: load the EDAC driver of this platform "
                    "(modprobe amd64_edac, skx_edac or i10nm_edac), or read the BMC's log");
}

base::Finding Judge(base::Finding finding, const MemoryErrors& errors, const Expectations& expectations) {
  const auto uncorrected = expectations.Whole("memory_uncorrected_errors");
  const auto corrected = expectations.Whole("memory_corrected_errors");
  if (!uncorrected || !corrected) {
    return CannotTell(std::move(finding), "state node.memory_corrected_errors and node.memory_uncorrected_errors");
  }
  Expect(finding, fmt::format("<= {} uncorrected, <= {} corrected", uncorrected->value, corrected->value),
         corrected->source);
  if (errors.uncorrected > uncorrected->value) {
    return Fail(std::move(finding), fmt::format("{} uncorrected memory errors since boot: drain the machine, find the "
                                                "module in {}/mc*/dimm*, replace it",
                                                errors.uncorrected, kControllers));
  }
  if (errors.corrected > corrected->value) {
    return Fail(std::move(finding), fmt::format("{} corrected memory errors since boot: plan to replace the module "
                                                "that {}/mc*/dimm* names",
                                                errors.corrected, kControllers));
  }
  return Pass(std::move(finding));
}

}  // namespace

// The counters start at the boot (or at the loading of the driver), so a machine that was rebooted looks clean: the
// ledger keeps what was seen before.
std::vector<base::Finding> CheckMemoryErrors(const CheckContext& context) {
  base::Finding finding = StartFinding({"memory-errors", "/sys/devices/system/edac/mc/mc*/{ue,ce}_count", "errors"});
  if (!context.system.Exists(kControllers)) return {WithoutControllers(std::move(finding), context.system)};
  const auto errors = ReadErrors(context.system);
  if (!errors.ok()) return {CannotTell(std::move(finding), errors.status())};
  if (errors->controllers == 0) return {WithoutControllers(std::move(finding), context.system)};
  finding.value = errors->corrected + errors->uncorrected;
  return {Judge(std::move(finding), *errors, context.expectations)};
}

}  // namespace ashlar::node
