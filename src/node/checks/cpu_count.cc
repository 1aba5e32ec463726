#include "node/checks/cpu_count.h"

#include "node/checks/finding.h"
#include "node/checks/machine_facts.h"
#include "node/kernel/cpu_list.h"

namespace ashlar::node {
namespace {

base::StatusOr<std::vector<uint32_t>> ReadCpus(const os::SysReader& system, std::string_view name) {
  ASHLAR_ASSIGN_OR_RETURN(const std::string text, system.ReadTrimmed(fmt::format("/sys/devices/system/cpu/{}", name)));
  return ParseCpuList(text);
}

}  // namespace

// A processor that is offline slows every collective that waits for its rank.
std::vector<base::Finding> CheckCpuCount(const CheckContext& context) {
  base::Finding finding = StartFinding({"cpu-count", "/sys/devices/system/cpu/{present,online}", "processors"});
  const auto online = OnlineProcessors(context.system);
  if (!online.ok()) return {CannotTell(std::move(finding), online.status())};
  finding.value = *online;
  if (const auto expected = context.expectations.Whole("cpu_count")) {
    Expect(finding, fmt::format("{}", expected->value), expected->source);
    if (*online == expected->value) return {Pass(std::move(finding))};
    return {Fail(std::move(finding),
                 fmt::format("{} processors are online, {} expected: look at /sys/devices/system/cpu/offline and the "
                             "size of the machine",
                             *online, expected->value))};
  }
  const auto present = ReadCpus(context.system, "present");
  if (!present.ok()) return {CannotTell(std::move(finding), present.status())};
  Expect(finding, fmt::format("{}", present->size()), "/sys/devices/system/cpu/present");
  if (*online >= present->size()) return {Pass(std::move(finding))};
  return {Fail(std::move(finding), fmt::format("{} processors are offline: bring them online (chcpu -e) or find out "
                                               "who took them off",
                                               present->size() - *online))};
}

}  // namespace ashlar::node
