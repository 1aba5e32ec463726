#include "node/checks/machine_facts.h"

#include <algorithm>
#include <array>

#include "node/checks/check_limits.h"
#include "node/kernel/cpu_list.h"
#include "node/kernel/cpuinfo.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPci = "/sys/bus/pci/devices";
constexpr std::array<uint64_t, 4> kGpuClasses = {0x0300, 0x0302, 0x0380, 0x1200};
constexpr uint64_t kNvidia = 0x10de;
constexpr uint64_t kAmd = 0x1002;

base::StatusOr<uint64_t> ReadHex(const os::SysReader& system, const std::string& path) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.ReadTrimmed(path));
  const auto number = base::ParseHex(text);
  if (!number)
    return base::Error(base::StatusCode::kInvalidArgument, "{}: \"{}\" is no hexadecimal number", path, text);
  return *number;
}

}  // namespace

base::StatusOr<bool> IsVirtualMachine(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read("/proc/cpuinfo"));
  ASHLAR_ASSIGN_OR_RETURN(const Cpuinfo info, ParseCpuinfo(text));
  return info.hypervisor_flag.value_or(false);
}

base::StatusOr<uint64_t> OnlineProcessors(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.ReadTrimmed("/sys/devices/system/cpu/online"));
  ASHLAR_ASSIGN_OR_RETURN(const auto cpus, ParseCpuList(text));
  if (cpus.empty()) return base::Error(base::StatusCode::kInvalidArgument, "/sys/devices/system/cpu/online is empty");
  return cpus.size();
}

base::StatusOr<PciGpus> CountPciGpus(const os::SysReader& system) {
  PciGpus gpus;
  if (!system.Exists(kPci)) return gpus;
  ASHLAR_ASSIGN_OR_RETURN(const auto names, system.List(kPci));
  if (names.size() > kMaxPciFunctions) {
    return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} functions", kPci, kMaxPciFunctions);
  }
  for (const auto& name : names) {
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t full_class, ReadHex(system, fmt::format("{}/{}/class", kPci, name)));
    ASHLAR_ASSIGN_OR_RETURN(const uint64_t vendor, ReadHex(system, fmt::format("{}/{}/vendor", kPci, name)));
    if (std::find(kGpuClasses.begin(), kGpuClasses.end(), full_class >> 8U) == kGpuClasses.end()) continue;
    if (vendor == kNvidia) ++gpus.nvidia;
    if (vendor == kAmd) ++gpus.amd;
  }
  return gpus;
}

bool IsAccelerated(const os::SysReader& system) {
  const auto devices = system.List("/sys/class/infiniband");
  if (devices.ok() && !devices->empty()) return true;
  const auto gpus = CountPciGpus(system);
  return !gpus.ok() || gpus->total() > 0;
}

}  // namespace ashlar::node
