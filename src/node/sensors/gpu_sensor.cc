// GPUs: NVIDIA's under the names of DCGM's exporter, AMD's under names of our own.
#include <map>

#include "node/gpu/gpu_watch.h"
#include "node/limits.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

constexpr SeriesType kCounter = SeriesType::kCounter;

enum Family : size_t {
  kSmClock,
  kMemoryClock,
  kTemperature,
  kPower,
  kEnergy,
  kPcieReplays,
  kUtilization,
  kMemoryUsed,
  kMemoryFree,
  kThrottleReasons,
  kEccCorrected,
  kEccUncorrected,
  kRemappedUncorrected,
  kRemappedCorrected,
  kRemapFailed,
  kReachable,
  kFamilies,
};

// DCGM's units: MHz, degrees Celsius, W, mJ, MiB.
constexpr FamilyPlan kNvidiaPlans[] = {
    {"DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz)."},
    {"DCGM_FI_DEV_MEM_CLOCK", "Memory clock frequency (in MHz)."},
    {"DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C)."},
    {"DCGM_FI_DEV_POWER_USAGE", "Power draw (in W)."},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Total energy consumption since boot (in mJ).", kCounter},
    {"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "Total number of PCIe retries.", kCounter, 1, CounterKind::k32Bit},
    {"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %)."},
    {"DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB)."},
    {"DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB)."},
    {"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "Bits of the reasons why clocks are reduced."},
    {"DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "Total number of single-bit volatile ECC errors.", kCounter},
    {"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "Total number of double-bit volatile ECC errors.", kCounter},
    {"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "Number of remapped rows for uncorrectable errors", kCounter},
    {"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "Number of remapped rows for correctable errors", kCounter},
    {"DCGM_FI_DEV_ROW_REMAP_FAILURE", "Whether remapping of rows has failed"},
    {"ashlar_gpu_reachable", "1 while the driver reaches the GPU, 0 when it is lost."},
};
static_assert(std::size(kNvidiaPlans) == kFamilies);

constexpr FamilyPlan kAmdPlans[] = {
    {"ashlar_amd_gpu_system_clock_megahertz", "System clock frequency."},
    {"ashlar_amd_gpu_memory_clock_megahertz", "Memory clock frequency."},
    {"ashlar_amd_gpu_temperature_celsius", "Junction temperature."},
    {"ashlar_amd_gpu_power_watts", "Power draw."},
    {"ashlar_amd_gpu_energy_millijoules_total", "Energy used since the driver was loaded.", kCounter},
    {"ashlar_amd_gpu_pcie_replays_total", "PCIe packets that were sent again.", kCounter},
    {"ashlar_amd_gpu_utilization_percent", "Share of time that the GPU was busy."},
    {"ashlar_amd_gpu_memory_used_mebibytes", "Memory in use."},
    {"ashlar_amd_gpu_memory_free_mebibytes", "Memory that is free."},
    {"ashlar_amd_gpu_throttle_reasons", "Bits of the reasons why clocks are reduced."},
    {"ashlar_amd_gpu_ecc_corrected_errors_total", "Corrected memory errors.", kCounter},
    {"ashlar_amd_gpu_ecc_uncorrected_errors_total", "Uncorrected memory errors.", kCounter},
    {"ashlar_amd_gpu_remapped_rows_uncorrected", "Rows replaced after uncorrected errors."},
    {"ashlar_amd_gpu_remapped_rows_corrected", "Rows replaced after corrected errors."},
    {"ashlar_amd_gpu_remap_failed", "Whether a row could not be replaced."},
    {"ashlar_amd_gpu_reachable", "1 while the driver reaches the GPU, 0 when it is lost."},
};
static_assert(std::size(kAmdPlans) == kFamilies);

class WatchedGpuSensor final : public GpuSensor {
 public:
  WatchedGpuSensor(const SamplerSources& sources, GpuVendor vendor)
      : vendor_(vendor),
        watch_({vendor, vendor == GpuVendor::kNvidia ? sources.gpus.nvml_library : sources.gpus.rocm_smi_library,
                sources.clock}),
        system_(sources.system) {}

  std::string_view name() const override { return vendor_ == GpuVendor::kNvidia ? "gpu_nvidia" : "gpu_amd"; }

  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : vendor_ == GpuVendor::kNvidia ? kNvidiaPlans : kAmdPlans) {
      board_.AddFamily(sample, plan);
    }
    auto host = system_.ReadTrimmed("/proc/sys/kernel/hostname");
    if (host.ok()) host_name_ = *std::move(host);
  }

  base::Status Read(SourceSample& sample, absl::Duration now) override {
    base::Status status = ReadLast(sample, now);
    // On a machine without this vendor's GPUs the library is looked for once a minute, not every second.
    const bool missing = reading_ && absl::IsNotFound(reading_->inventory.status());
    if (!missing || now - reading_->asked_at >= kGpuLibraryRetry) watch_.StartSensors();
    return status;
  }

  bool WaitUntilIdle(absl::Duration deadline) const override { return watch_.WaitUntilIdle(deadline); }

 private:
  base::Status ReadLast(SourceSample& sample, absl::Duration now) {
    ASHLAR_RETURN_IF_ERROR(watch_.Last(kGpuPatience, reading_));
    ASHLAR_RETURN_IF_ERROR(reading_->inventory.status());
    if (now - reading_->asked_at > kGpuFreshness) {
      return base::Error(base::StatusCode::kUnavailable, "the last reading is {} old",
                         base::HumanDuration(now - reading_->asked_at));
    }
    base::Status worst;
    for (const Gpu& gpu : reading_->inventory->gpus) {
      Write(sample, gpu);
      if (worst.ok() && !gpu.handle.ok()) worst = base::Annotate(gpu.handle, fmt::format("GPU {}", gpu.index));
    }
    return worst;
  }

  // A GPU is known by its number and its identifier: one that was replaced is another one.
  size_t SlotOf(SourceSample& sample, const Gpu& gpu) {
    const auto key = std::make_pair(gpu.index, gpu.uuid.value_or(""));
    const auto known = slots_.find(key);
    if (known != slots_.end()) return known->second;
    if (!gpu.uuid) {
      // A GPU that is lost gives no identifier; it is the one that was at this number.
      const auto same_index = slots_.lower_bound(key);
      if (same_index != slots_.end() && same_index->first.first == gpu.index) return same_index->second;
    }
    const size_t slot =
        board_.AddToAll(sample, fmt::format("{},{},{},{},{},{}", Label("gpu", fmt::format("{}", gpu.index)),
                                            Label("UUID", key.second), Label("pci_bus_id", gpu.pci_bus_id.value_or("")),
                                            Label("device", fmt::format("{}{}", GpuVendorName(gpu.vendor), gpu.index)),
                                            Label("modelName", gpu.name.value_or("")), Label("Hostname", host_name_)));
    slots_.emplace(key, slot);
    return slot;
  }

  void Write(SourceSample& sample, const Gpu& gpu) {
    const size_t slot = SlotOf(sample, gpu);
    const auto gauge = [&](size_t family, const auto& value) {
      if (value) board_.SetGauge(sample, family, slot, static_cast<double>(*value));
    };
    const auto counter = [&](size_t family, const auto& value) {
      if (value) board_.SetCounter(sample, family, slot, static_cast<uint64_t>(*value));
    };
    constexpr double kMillijoulesPerJoule = 1000;
    board_.SetGauge(sample, kReachable, slot, gpu.handle.ok() ? 1 : 0);
    gauge(kSmClock, gpu.clocks.sm_mhz);
    gauge(kMemoryClock, gpu.clocks.memory_mhz);
    gauge(kTemperature, gpu.temperature_celsius);
    gauge(kPower, gpu.power_watts);
    if (gpu.energy_joules) counter(kEnergy, std::optional<double>(*gpu.energy_joules * kMillijoulesPerJoule));
    counter(kPcieReplays, gpu.pcie_replays);
    gauge(kUtilization, gpu.utilization_percent);
    if (gpu.memory_total_bytes && gpu.memory_used_bytes) {
      gauge(kMemoryUsed, std::optional<uint64_t>(*gpu.memory_used_bytes / base::kMiB));
      gauge(kMemoryFree, std::optional<uint64_t>((*gpu.memory_total_bytes - *gpu.memory_used_bytes) / base::kMiB));
    }
    gauge(kThrottleReasons, gpu.throttle_reasons);
    counter(kEccCorrected, gpu.ecc.volatile_corrected);
    counter(kEccUncorrected, gpu.ecc.volatile_uncorrected);
    if (!gpu.remapped_rows) return;
    counter(kRemappedUncorrected, std::optional<uint32_t>(gpu.remapped_rows->uncorrected));
    counter(kRemappedCorrected, std::optional<uint32_t>(gpu.remapped_rows->corrected));
    board_.SetGauge(sample, kRemapFailed, slot, gpu.remapped_rows->failed ? 1 : 0);
  }

  const GpuVendor vendor_;
  GpuWatch watch_;
  const os::SysReader& system_;
  std::string host_name_;
  std::optional<GpuReading> reading_;
  std::map<std::pair<uint32_t, std::string>, size_t> slots_;
};

}  // namespace

std::unique_ptr<GpuSensor> MakeGpuSensor(const SamplerSources& sources, GpuVendor vendor) {
  return std::make_unique<WatchedGpuSensor>(sources, vendor);
}

}  // namespace ashlar::node
