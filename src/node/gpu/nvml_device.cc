#include "node/gpu/nvml_device.h"

#include <limits>

#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr double kMilli = 1000;
constexpr uint32_t kAny = std::numeric_limits<uint32_t>::max();

// nvmlEnableState_t is 0 or 1 and nothing else.
base::StatusOr<bool> Switch(const char* call, const base::Status& status, int value) {
  ASHLAR_RETURN_IF_ERROR(status);
  if (value != 0 && value != 1) return Implausible(call, fmt::format("{}", value));
  return value == 1;
}

}  // namespace

template <typename Function>
base::StatusOr<std::string> NvmlDevice::Text(const char* name, Function* function) {
  char buffer[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {};
  ASHLAR_RETURN_IF_ERROR(Call(name, function, buffer, static_cast<unsigned int>(sizeof(buffer))));
  auto text = DriverText(buffer, sizeof(buffer));
  if (!text) return Implausible(name, "no text");
  return *std::move(text);
}

template <typename Function>
void NvmlDevice::ReadClocks(const char* name, Function* function, std::string_view field, GpuClocks& clocks) {
  unsigned int clock = 0;
  base::Status status = Call(name, function, static_cast<int>(NVML_CLOCK_SM), &clock);
  Keep(gpu_.unknowns, fmt::format("{}.sm_mhz", field), Plausible32(name, status, clock, kHighestClockMhz),
       clocks.sm_mhz);
  status = Call(name, function, static_cast<int>(NVML_CLOCK_MEM), &clock);
  Keep(gpu_.unknowns, fmt::format("{}.memory_mhz", field), Plausible32(name, status, clock, kHighestClockMhz),
       clocks.memory_mhz);
}

template <typename Function>
base::StatusOr<double> NvmlDevice::Watts(const char* name, Function* function) {
  unsigned int milliwatts = 0;
  const base::Status status = Call(name, function, &milliwatts);
  ASHLAR_ASSIGN_OR_RETURN(const uint32_t power, Plausible32(name, status, milliwatts, kAny));
  if (power / kMilli > kHighestWatts) return Implausible(name, fmt::format("{} mW", power));
  return power / kMilli;
}

void NvmlDevice::ReadConstants() {
  Keep(gpu_.unknowns, "name", Text("nvmlDeviceGetName", functions_.name), gpu_.name);
  Keep(gpu_.unknowns, "uuid", Text("nvmlDeviceGetUUID", functions_.uuid), gpu_.uuid);
  ReadBusId();
  ReadClocks("nvmlDeviceGetMaxClockInfo", functions_.maximum_clock, "maximum_clocks", gpu_.maximum_clocks);
  ReadClocks("nvmlDeviceGetApplicationsClock", functions_.application_clock, "application_clocks",
             gpu_.application_clocks);
  Keep(gpu_.unknowns, "power_limit_watts", Watts("nvmlDeviceGetEnforcedPowerLimit", functions_.power_limit),
       gpu_.power_limit_watts);
  ReadModes();
  ReadLinks();
}

void NvmlDevice::ReadBusId() {
  constexpr const char* kCall = "nvmlDeviceGetPciInfo_v3";
  nvmlPciInfo_t pci = {};
  const base::Status status = Call(kCall, functions_.pci, &pci);
  if (!status.ok()) return AddUnknown(gpu_.unknowns, "pci_bus_id", status);
  gpu_.pci_bus_id = DriverText(pci.busId, sizeof(pci.busId));
  if (!gpu_.pci_bus_id) AddUnknown(gpu_.unknowns, "pci_bus_id", Implausible(kCall, "no text"));
}

void NvmlDevice::ReadModes() {
  int mode = 0;
  base::Status status = Call("nvmlDeviceGetPersistenceMode", functions_.persistence, &mode);
  Keep(gpu_.unknowns, "persistence", Switch("nvmlDeviceGetPersistenceMode", status, mode), gpu_.persistence);
  int pending = 0;
  status = Call("nvmlDeviceGetEccMode", functions_.ecc_mode, &mode, &pending);
  Keep(gpu_.unknowns, "ecc.enabled", Switch("nvmlDeviceGetEccMode", status, mode), gpu_.ecc.enabled);
  Keep(gpu_.unknowns, "ecc.enabled_after_reboot", Switch("nvmlDeviceGetEccMode", status, pending),
       gpu_.ecc.enabled_after_reboot);
}

void NvmlDevice::ReadLinks() {
  constexpr const char* kCall = "nvmlDeviceGetNvLinkState";
  std::vector<GpuLink> links;
  for (uint32_t link = 0; link < kMaxGpuLinks; ++link) {
    int active = 0;
    const base::Status status = Call(kCall, functions_.link_state, link, &active);
    // A GPU says "not supported" when it has no links, and "invalid argument" past its last one.
    if (absl::IsInvalidArgument(status) || (link == 0 && absl::IsUnimplemented(status) && functions_.link_state)) {
      break;
    }
    const base::StatusOr<bool> is_active = Switch(kCall, status, active);
    if (!is_active.ok()) return AddUnknown(gpu_.unknowns, "links", is_active.status());
    links.push_back({link, *is_active});
  }
  gpu_.links = std::move(links);
}

void NvmlDevice::ReadSensors() {
  ReadMemory();
  ReadClocks("nvmlDeviceGetClockInfo", functions_.clock, "clocks", gpu_.clocks);
  ReadPower();
  ReadLoad();
  ReadEccCounts();
  ReadRemappedRows();
}

void NvmlDevice::ReadMemory() {
  constexpr const char* kCall = "nvmlDeviceGetMemoryInfo";
  nvmlMemory_t memory = {};
  base::Status status = Call(kCall, functions_.memory, &memory);
  const bool impossible = memory.total == 0 || IsBlank64(memory.total) || memory.used > memory.total;
  if (status.ok() && impossible) {
    status = Implausible(kCall, fmt::format("{} of {} bytes used", memory.used, memory.total));
  }
  gpu_.memory_total_bytes.reset();
  gpu_.memory_used_bytes.reset();
  if (!status.ok()) return AddUnknown(gpu_.unknowns, "memory_total_bytes", status);
  gpu_.memory_total_bytes = memory.total;
  gpu_.memory_used_bytes = memory.used;
}

void NvmlDevice::ReadPower() {
  Keep(gpu_.unknowns, "power_watts", Watts("nvmlDeviceGetPowerUsage", functions_.power), gpu_.power_watts);
  unsigned long long millijoules = 0;
  const base::Status status = Call("nvmlDeviceGetTotalEnergyConsumption", functions_.energy, &millijoules);
  Keep(gpu_.unknowns, "energy_joules", Plausible64("nvmlDeviceGetTotalEnergyConsumption", status, millijoules),
       gpu_.energy_joules);
  if (gpu_.energy_joules) *gpu_.energy_joules /= kMilli;
}

void NvmlDevice::ReadLoad() {
  unsigned int number = 0;
  base::Status status =
      Call("nvmlDeviceGetTemperature", functions_.temperature, static_cast<int>(NVML_TEMPERATURE_GPU), &number);
  Keep(gpu_.unknowns, "temperature_celsius",
       Plausible32("nvmlDeviceGetTemperature", status, number, static_cast<uint32_t>(kHighestCelsius)),
       gpu_.temperature_celsius);
  nvmlUtilization_t utilization = {};
  status = Call("nvmlDeviceGetUtilizationRates", functions_.utilization, &utilization);
  Keep(gpu_.unknowns, "utilization_percent", Plausible32("nvmlDeviceGetUtilizationRates", status, utilization.gpu, 100),
       gpu_.utilization_percent);
  unsigned long long reasons = 0;
  status = Call("nvmlDeviceGetCurrentClocksThrottleReasons", functions_.throttle_reasons, &reasons);
  Keep(gpu_.unknowns, "throttle_reasons", Plausible64("nvmlDeviceGetCurrentClocksThrottleReasons", status, reasons),
       gpu_.throttle_reasons);
  status = Call("nvmlDeviceGetPcieReplayCounter", functions_.pcie_replays, &number);
  Keep(gpu_.unknowns, "pcie_replays", Plausible32("nvmlDeviceGetPcieReplayCounter", status, number, kAny),
       gpu_.pcie_replays);
}

void NvmlDevice::ReadEccCounts() {
  struct Row {
    std::string_view field;
    int error_type;
    int counter_type;
    std::optional<uint64_t>& count;
  };
  const Row rows[] = {
      {"ecc.volatile_corrected", NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC, gpu_.ecc.volatile_corrected},
      {"ecc.volatile_uncorrected", NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC,
       gpu_.ecc.volatile_uncorrected},
      {"ecc.aggregate_corrected", NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_AGGREGATE_ECC, gpu_.ecc.aggregate_corrected},
      {"ecc.aggregate_uncorrected", NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_AGGREGATE_ECC,
       gpu_.ecc.aggregate_uncorrected},
  };
  constexpr const char* kCall = "nvmlDeviceGetTotalEccErrors";
  for (const Row& row : rows) {
    unsigned long long count = 0;
    const base::Status status = Call(kCall, functions_.ecc_errors, row.error_type, row.counter_type, &count);
    Keep(gpu_.unknowns, row.field, Plausible64(kCall, status, count), row.count);
  }
}

void NvmlDevice::ReadRemappedRows() {
  constexpr const char* kCall = "nvmlDeviceGetRemappedRows";
  unsigned int corrected = 0;
  unsigned int uncorrected = 0;
  unsigned int pending = 0;
  unsigned int failed = 0;
  base::Status status = Call(kCall, functions_.remapped_rows, &corrected, &uncorrected, &pending, &failed);
  if (status.ok() && (IsBlank32(corrected) || IsBlank32(uncorrected) || pending > 1 || failed > 1)) {
    status = Implausible(kCall, fmt::format("{:#x}, {:#x}, {}, {}", corrected, uncorrected, pending, failed));
  }
  gpu_.remapped_rows.reset();
  if (!status.ok()) return AddUnknown(gpu_.unknowns, "remapped_rows", status);
  gpu_.remapped_rows = GpuRemappedRows{corrected, uncorrected, pending == 1, failed == 1};
}

}  // namespace ashlar::node
