#include "node/checks/numa_balancing.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/kernel/cpu_list.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kSetting = "/proc/sys/kernel/numa_balancing";
constexpr std::string_view kNodes = "/sys/devices/system/node/online";

// 1 where the kernel knows no NUMA.
base::StatusOr<size_t> NodeCount(const os::SysReader& system) {
  const auto text = system.ReadTrimmed(kNodes);
  if (text.status().code() == base::StatusCode::kNotFound) return 1;
  if (!text.ok()) return text.status();
  ASHLAR_ASSIGN_OR_RETURN(const auto nodes, ParseCpuList(*text));
  if (nodes.empty()) return base::Error(base::StatusCode::kInvalidArgument, "{} is empty", kNodes);
  return nodes.size();
}

}  // namespace

// With one node there is nothing to balance, whatever the setting says.
std::vector<base::Finding> CheckNumaBalancing(const CheckContext& context) {
  base::Finding finding = StartFinding({"numa-balancing", kSetting});
  const auto nodes = NodeCount(context.system);
  if (!nodes.ok()) return {CannotTell(std::move(finding), nodes.status())};
  if (*nodes < 2) return {DoesNotApply(std::move(finding), "one NUMA node: there is nothing to balance")};
  const auto setting = context.system.ReadInt(kSetting);
  if (setting.status().code() == base::StatusCode::kNotFound) {
    return {DoesNotApply(std::move(finding), "this kernel does not balance NUMA by itself")};
  }
  if (!setting.ok()) return {CannotTell(std::move(finding), setting.status())};
  if (*setting < 0) return {CannotTell(std::move(finding), fmt::format("{}: {} is no setting", kSetting, *setting))};
  finding.value = *setting;
  const auto fine = context.expectations.CountList("numa_balancing");
  if (!fine) {
    return {DoesNotApply(std::move(finding),
                         "nothing is expected of a machine without GPU or RDMA; state "
                         "node.numa_balancing to check it")};
  }
  std::vector<std::string> values;
  for (const uint64_t value : fine->value) values.push_back(std::to_string(value));
  Expect(finding, base::Join(values, " or "), fine->source);
  const bool is_fine = std::find(fine->value.begin(), fine->value.end(), static_cast<uint64_t>(*setting)) !=
                       fine->value.end();
  if (is_fine) return {Pass(std::move(finding))};
  return {Fail(std::move(finding),
               "pages move while GPUs and ranks use them: sysctl -w kernel.numa_balancing=0, and the "
               "same in /etc/sysctl.d")};
}

}  // namespace ashlar::node
