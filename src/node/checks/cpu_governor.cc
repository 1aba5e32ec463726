#include "node/checks/cpu_governor.h"

#include <algorithm>
#include <set>

#include "node/checks/finding.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kPolicies = "/sys/devices/system/cpu/cpufreq";

}  // namespace

// Policies are looked at one by one: a tuning tool that died half way leaves some of them behind.
std::vector<base::Finding> CheckCpuGovernor(const CheckContext& context) {
  base::Finding finding = StartFinding({"cpu-governor", "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor"});
  const auto policies = context.system.List(kPolicies);
  if (policies.status().code() == base::StatusCode::kNotFound || (policies.ok() && policies->empty())) {
    return {DoesNotApply(std::move(finding), "the kernel does not set the frequency here (firmware or host does)")};
  }
  if (!policies.ok()) return {CannotTell(std::move(finding), policies.status())};
  std::set<std::string> governors;
  for (const auto& policy : *policies) {
    if (!policy.starts_with("policy")) continue;
    const auto governor = context.system.ReadTrimmed(fmt::format("{}/{}/scaling_governor", kPolicies, policy));
    if (!governor.ok()) return {CannotTell(std::move(finding), governor.status())};
    if (governor->empty()) return {CannotTell(std::move(finding), fmt::format("{}: governor is empty", policy))};
    governors.insert(*governor);
  }
  if (governors.empty()) return {CannotTell(std::move(finding), fmt::format("{} holds no policy", kPolicies))};
  finding.value = NamesToJson({governors.begin(), governors.end()});
  const auto expected = context.expectations.TextList("cpu_governors");
  if (!expected) {
    return {DoesNotApply(std::move(finding),
                         "nothing is expected of a machine without GPU or RDMA; state "
                         "node.cpu_governors to check it")};
  }
  Expect(finding, base::Join(expected->value, " or "), expected->source);
  const bool fine = std::all_of(governors.begin(), governors.end(), [&](const auto& governor) {
    return std::find(expected->value.begin(), expected->value.end(), governor) != expected->value.end();
  });
  if (fine) return {Pass(std::move(finding))};
  return {Fail(std::move(finding),
               "set it: cpupower frequency-set -g performance (tuned-adm profile hpc-compute keeps it)")};
}

}  // namespace ashlar::node
