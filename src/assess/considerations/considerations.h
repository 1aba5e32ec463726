// The considerations, one source in the folder of its pillar. Only registry.cc and their tests include this.
#pragma once

#include "assess/consideration.h"

namespace ashlar::assess {

extern const Consideration kRelZones;
extern const Consideration kRelHealth;
extern const Consideration kRelRollingUpdates;
extern const Consideration kRelDegradation;
extern const Consideration kRelBackup;
extern const Consideration kSecUpdateSchedule;
extern const Consideration kSecPatching;
extern const Consideration kSecIntegrity;
extern const Consideration kSecDrift;
extern const Consideration kSecAudit;
extern const Consideration kSecVersions;
extern const Consideration kSecOutputAnomaly;
extern const Consideration kSecAccess;
extern const Consideration kSecRevalidation;
extern const Consideration kSecLineage;
extern const Consideration kSecQuotas;
extern const Consideration kSecVulnerability;
extern const Consideration kCostReservations;
extern const Consideration kCostAutoscale;
extern const Consideration kCostIdle;
extern const Consideration kCostSavingsPlans;
extern const Consideration kCostSpot;
extern const Consideration kCostStorage;
extern const Consideration kOpsRightsize;
extern const Consideration kOpsAutoscale;
extern const Consideration kOpsProfiling;
extern const Consideration kOpsDistributedTraining;
extern const Consideration kOpsCheckpoints;
extern const Consideration kOpsRecovery;
extern const Consideration kPerfGpuClocks;
extern const Consideration kPerfNetwork;
extern const Consideration kPerfScratch;
extern const Consideration kPerfCheckpointStorage;
extern const Consideration kBenchTraining;
extern const Consideration kBenchSoftware;
extern const Consideration kBenchNodeHealth;
extern const Consideration kBenchNccl;
extern const Consideration kBenchRccl;

}  // namespace ashlar::assess
