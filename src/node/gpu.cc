#include "node/gpu.h"

#include "node/gpu/gpu_watch.h"
#include "node/json_value.h"

namespace ashlar::node {
namespace {

base::Json ClocksToJson(const GpuClocks& clocks) {
  return base::JsonObject{{"sm_mhz", ValueOrNull(clocks.sm_mhz)}, {"memory_mhz", ValueOrNull(clocks.memory_mhz)}};
}

base::Json EccToJson(const GpuEcc& ecc) {
  return base::JsonObject{{"enabled", ValueOrNull(ecc.enabled)},
                          {"enabled_after_reboot", ValueOrNull(ecc.enabled_after_reboot)},
                          {"volatile_corrected", ValueOrNull(ecc.volatile_corrected)},
                          {"volatile_uncorrected", ValueOrNull(ecc.volatile_uncorrected)},
                          {"aggregate_corrected", ValueOrNull(ecc.aggregate_corrected)},
                          {"aggregate_uncorrected", ValueOrNull(ecc.aggregate_uncorrected)}};
}

base::Json RemappedRowsToJson(const std::optional<GpuRemappedRows>& rows) {
  if (!rows) return nullptr;
  return base::JsonObject{{"corrected", rows->corrected},
                          {"uncorrected", rows->uncorrected},
                          {"pending", rows->pending},
                          {"failed", rows->failed}};
}

base::Json LinksToJson(const std::optional<std::vector<GpuLink>>& links) {
  if (!links) return nullptr;
  base::JsonArray array;
  for (const GpuLink& link : *links) {
    array.push_back(base::JsonObject{{"index", link.index}, {"active", link.active}});
  }
  return array;
}

base::Json ReasonsToJson(const std::optional<uint64_t>& reasons) {
  if (!reasons) return nullptr;
  base::JsonArray array;
  for (std::string& name : ThrottleReasonNames(*reasons)) array.push_back(base::Json(std::move(name)));
  return array;
}

}  // namespace

std::string_view GpuVendorName(GpuVendor vendor) { return vendor == GpuVendor::kNvidia ? "nvidia" : "amd"; }

std::vector<std::string> ThrottleReasonNames(uint64_t reasons) {
  constexpr std::string_view kNames[] = {
      "idle",           "application_clocks", "software_power_cap", "hardware_slowdown",
      "sync_boost",     "software_thermal",   "hardware_thermal",   "power_brake",
      "display_clocks",
  };
  constexpr uint32_t kBits = 64;
  std::vector<std::string> names;
  for (uint32_t bit = 0; bit < kBits; ++bit) {
    if (((reasons >> bit) & 1U) == 0) continue;
    names.push_back(bit < std::size(kNames) ? std::string(kNames[bit]) : fmt::format("bit_{}", bit));
  }
  return names;
}

base::StatusOr<GpuInventory> ReadGpus(GpuVendor vendor, const GpuSources& sources) {
  GpuWatchOptions options;
  options.vendor = vendor;
  options.library = vendor == GpuVendor::kNvidia ? sources.nvml_library : sources.rocm_smi_library;
  GpuWatch watch(options);
  return watch.Read(sources.deadline);
}

base::Json GpuToJson(const Gpu& gpu) {
  return base::JsonObject{
      {"vendor", GpuVendorName(gpu.vendor)},
      {"index", gpu.index},
      {"reachable", gpu.handle.ok()},
      {"uuid", ValueOrNull(gpu.uuid)},
      {"name", ValueOrNull(gpu.name)},
      {"pci_bus_id", ValueOrNull(gpu.pci_bus_id)},
      {"memory_total_bytes", ValueOrNull(gpu.memory_total_bytes)},
      {"memory_used_bytes", ValueOrNull(gpu.memory_used_bytes)},
      {"clocks", ClocksToJson(gpu.clocks)},
      {"maximum_clocks", ClocksToJson(gpu.maximum_clocks)},
      {"application_clocks", ClocksToJson(gpu.application_clocks)},
      {"throttle_reasons", ReasonsToJson(gpu.throttle_reasons)},
      {"power_watts", ValueOrNull(gpu.power_watts)},
      {"power_limit_watts", ValueOrNull(gpu.power_limit_watts)},
      {"temperature_celsius", ValueOrNull(gpu.temperature_celsius)},
      {"utilization_percent", ValueOrNull(gpu.utilization_percent)},
      {"energy_joules", ValueOrNull(gpu.energy_joules)},
      {"pcie_replays", ValueOrNull(gpu.pcie_replays)},
      {"persistence", ValueOrNull(gpu.persistence)},
      {"ecc", EccToJson(gpu.ecc)},
      {"remapped_rows", RemappedRowsToJson(gpu.remapped_rows)},
      {"links", LinksToJson(gpu.links)},
  };
}

base::Json GpuInventoryToJson(const GpuInventory& inventory) {
  base::JsonArray gpus;
  for (const Gpu& gpu : inventory.gpus) gpus.push_back(GpuToJson(gpu));
  return base::JsonObject{{"vendor", GpuVendorName(inventory.vendor)},
                          {"library", inventory.library},
                          {"driver_version", ValueOrNull(inventory.driver_version)},
                          {"library_version", ValueOrNull(inventory.library_version)},
                          {"gpus", std::move(gpus)}};
}

}  // namespace ashlar::node
