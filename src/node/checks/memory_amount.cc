#include "node/checks/memory_amount.h"

#include "node/checks/finding.h"
#include "node/kernel/meminfo.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kMeminfo = "/proc/meminfo";
constexpr std::string_view kBlocks = "/sys/devices/system/memory";

base::StatusOr<uint64_t> TotalMemory(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.Read(kMeminfo));
  std::vector<MeminfoEntry> entries;
  ASHLAR_RETURN_IF_ERROR(ParseMeminfo(text, entries));
  return FindMeminfo(entries, "MemTotal").value_or(0);
}

// What the firmware handed to the kernel: the memory blocks, whole ones, that are online.
// Source: Linux Documentation/ABI/testing/sysfs-devices-memory.
base::StatusOr<uint64_t> OnlineBlocks(const os::SysReader& system) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string size_text, system.ReadTrimmed(fmt::format("{}/block_size_bytes", kBlocks)));
  const auto size = base::ParseHex(size_text);
  if (!size || *size == 0) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}/block_size_bytes: \"{}\" is no size", kBlocks,
                       size_text);
  }
  ASHLAR_ASSIGN_OR_RETURN(const auto names, system.List(kBlocks));
  uint64_t online = 0;
  for (const auto& name : names) {
    if (!name.starts_with("memory") || !base::ParseUint64(std::string_view(name).substr(6))) continue;
    ASHLAR_ASSIGN_OR_RETURN(const std::string state, system.ReadTrimmed(fmt::format("{}/{}/state", kBlocks, name)));
    if (state == "online") ++online;
  }
  if (online == 0) return base::Error(base::StatusCode::kNotFound, "{}: no block is online", kBlocks);
  return online * *size;
}

base::Finding Compare(base::Finding finding, uint64_t total, uint64_t least) {
  if (total >= least) return Pass(std::move(finding));
  return Fail(std::move(finding),
              fmt::format("{} of memory are missing: look for a failed module (dmidecode -t memory, the BMC's log); "
                          "on a virtual machine redeploy it",
                          base::HumanBytes({least - total})));
}

}  // namespace

// A dead module takes its share of the memory away and nothing else shows it: jobs only fail later, for want of memory.
// MemTotal is below what is sold, since the kernel takes its own share first; hence the tolerance.
std::vector<base::Finding> CheckMemoryAmount(const CheckContext& context) {
  base::Finding finding = StartFinding({"memory-amount", "/proc/meminfo MemTotal", "bytes"});
  const auto total = TotalMemory(context.system);
  if (!total.ok()) return {CannotTell(std::move(finding), total.status())};
  finding.value = *total;
  const auto& expectations = context.expectations;
  if (const auto sold = expectations.Whole("memory_bytes")) {
    const double tolerance = expectations.Number("memory_tolerance_share").value_or(Expected<double>{}).value;
    const auto least = static_cast<uint64_t>(static_cast<double>(sold->value) * (1 - tolerance));
    Expect(finding, fmt::format(">= {} less {}", base::HumanBytes({sold->value}), Percent(tolerance)), sold->source);
    return {Compare(std::move(finding), *total, least)};
  }
  const auto reserved = expectations.Number("memory_reserved_share");
  const auto blocks = OnlineBlocks(context.system);
  if (!reserved || !blocks.ok()) {
    return {CannotTell(std::move(finding),
                       "nothing says how much memory this machine should have: state "
                       "node.memory_bytes in the configuration, as 512G")};
  }
  const auto least = static_cast<uint64_t>(static_cast<double>(*blocks) * (1 - reserved->value));
  Expect(finding, fmt::format(">= {} of memory blocks less {}", base::HumanBytes({*blocks}), Percent(reserved->value)),
         reserved->source);
  return {Compare(std::move(finding), *total, least)};
}

}  // namespace ashlar::node
