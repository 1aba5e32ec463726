// NVML's functions as they were found in the library; null where a driver does not have one.
//
// Plain pointers, valid while the library is open.
#pragma once

#include "node/gpu/nvml_abi.h"
#include "node/gpu/shared_library.h"

namespace ashlar::node {

// Each with its documented type: decltype of the declaration in nvml_abi.h.
struct NvmlFunctions {
  decltype(nvmlInit_v2)* initialise = nullptr;
  decltype(nvmlShutdown)* shut_down = nullptr;
  decltype(nvmlSystemGetDriverVersion)* driver_version = nullptr;
  decltype(nvmlSystemGetNVMLVersion)* library_version = nullptr;
  decltype(nvmlDeviceGetCount_v2)* count = nullptr;
  decltype(nvmlDeviceGetHandleByIndex_v2)* handle = nullptr;
  decltype(nvmlDeviceGetName)* name = nullptr;
  decltype(nvmlDeviceGetUUID)* uuid = nullptr;
  decltype(nvmlDeviceGetPciInfo_v3)* pci = nullptr;
  decltype(nvmlDeviceGetMemoryInfo)* memory = nullptr;
  decltype(nvmlDeviceGetClockInfo)* clock = nullptr;
  decltype(nvmlDeviceGetMaxClockInfo)* maximum_clock = nullptr;
  decltype(nvmlDeviceGetApplicationsClock)* application_clock = nullptr;
  decltype(nvmlDeviceGetCurrentClocksThrottleReasons)* throttle_reasons = nullptr;
  decltype(nvmlDeviceGetEccMode)* ecc_mode = nullptr;
  decltype(nvmlDeviceGetTotalEccErrors)* ecc_errors = nullptr;
  decltype(nvmlDeviceGetPersistenceMode)* persistence = nullptr;
  decltype(nvmlDeviceGetTemperature)* temperature = nullptr;
  decltype(nvmlDeviceGetPowerUsage)* power = nullptr;
  decltype(nvmlDeviceGetEnforcedPowerLimit)* power_limit = nullptr;
  decltype(nvmlDeviceGetTotalEnergyConsumption)* energy = nullptr;
  decltype(nvmlDeviceGetPcieReplayCounter)* pcie_replays = nullptr;
  decltype(nvmlDeviceGetUtilizationRates)* utilization = nullptr;
  decltype(nvmlDeviceGetNvLinkState)* link_state = nullptr;
  decltype(nvmlDeviceGetRemappedRows)* remapped_rows = nullptr;
};

inline NvmlFunctions FindNvmlFunctions(const SharedLibrary& library) {
  NvmlFunctions functions;
  library.Find("nvmlInit_v2", functions.initialise);
  library.Find("nvmlShutdown", functions.shut_down);
  library.Find("nvmlSystemGetDriverVersion", functions.driver_version);
  library.Find("nvmlSystemGetNVMLVersion", functions.library_version);
  library.Find("nvmlDeviceGetCount_v2", functions.count);
  library.Find("nvmlDeviceGetHandleByIndex_v2", functions.handle);
  library.Find("nvmlDeviceGetName", functions.name);
  library.Find("nvmlDeviceGetUUID", functions.uuid);
  library.Find("nvmlDeviceGetPciInfo_v3", functions.pci);
  library.Find("nvmlDeviceGetMemoryInfo", functions.memory);
  library.Find("nvmlDeviceGetClockInfo", functions.clock);
  library.Find("nvmlDeviceGetMaxClockInfo", functions.maximum_clock);
  library.Find("nvmlDeviceGetApplicationsClock", functions.application_clock);
  // Renamed in driver 535; the old name is kept as long as old programs are.
  library.Find("nvmlDeviceGetCurrentClocksEventReasons", functions.throttle_reasons);
  if (functions.throttle_reasons == nullptr) {
    library.Find("nvmlDeviceGetCurrentClocksThrottleReasons", functions.throttle_reasons);
  }
  library.Find("nvmlDeviceGetEccMode", functions.ecc_mode);
  library.Find("nvmlDeviceGetTotalEccErrors", functions.ecc_errors);
  library.Find("nvmlDeviceGetPersistenceMode", functions.persistence);
  library.Find("nvmlDeviceGetTemperature", functions.temperature);
  library.Find("nvmlDeviceGetPowerUsage", functions.power);
  library.Find("nvmlDeviceGetEnforcedPowerLimit", functions.power_limit);
  library.Find("nvmlDeviceGetTotalEnergyConsumption", functions.energy);
  library.Find("nvmlDeviceGetPcieReplayCounter", functions.pcie_replays);
  library.Find("nvmlDeviceGetUtilizationRates", functions.utilization);
  library.Find("nvmlDeviceGetNvLinkState", functions.link_state);
  library.Find("nvmlDeviceGetRemappedRows", functions.remapped_rows);
  return functions;
}

}  // namespace ashlar::node
