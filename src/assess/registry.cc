#include <algorithm>
#include <array>

#include "assess/consideration.h"
#include "assess/considerations/considerations.h"

namespace ashlar::assess {
namespace {

constexpr std::array<const Consideration*, 38> kConsiderations = {
    &kRelZones,       &kRelHealth,        &kRelRollingUpdates,
    &kRelDegradation, &kRelBackup,        &kSecUpdateSchedule,
    &kSecPatching,    &kSecIntegrity,     &kSecDrift,
    &kSecAudit,       &kSecVersions,      &kSecOutputAnomaly,
    &kSecAccess,      &kSecRevalidation,  &kSecLineage,
    &kSecQuotas,      &kSecVulnerability, &kCostReservations,
    &kCostAutoscale,  &kCostIdle,         &kCostSavingsPlans,
    &kCostSpot,       &kCostStorage,      &kOpsRightsize,
    &kOpsAutoscale,   &kOpsProfiling,     &kOpsDistributedTraining,
    &kOpsCheckpoints, &kOpsRecovery,      &kPerfGpuClocks,
    &kPerfNetwork,    &kPerfScratch,      &kPerfCheckpointStorage,
    &kBenchTraining,  &kBenchSoftware,    &kBenchNodeHealth,
    &kBenchNccl,      &kBenchRccl,
};

constexpr std::array<std::string_view, 6> kPillars = {"Reliability", "Security",    "Cost",
                                                      "Operations",  "Performance", "Benchmarks"};

}  // namespace

std::string_view PillarName(Pillar pillar) { return kPillars.at(static_cast<size_t>(pillar)); }

std::span<const Consideration* const> Considerations() { return kConsiderations; }

const Consideration* FindConsideration(std::string_view id) {
  const auto found = std::find_if(kConsiderations.begin(), kConsiderations.end(),
                                  [id](const Consideration* consideration) { return consideration->id == id; });
  return found == kConsiderations.end() ? nullptr : *found;
}

}  // namespace ashlar::assess
