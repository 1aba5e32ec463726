// GPUs as their driver's own library reports them: NVML for NVIDIA, ROCm SMI for AMD, both opened at run time.
//
// A value that the driver does not support, fails to give, or answers with a blank sentinel is absent and has a line in
// `unknowns`. Plain values here; the reading is in nvml.h and rocm_smi.h, watched for hangs by gpu_watch.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/unknown.h"

namespace ashlar::node {

enum class GpuVendor { kNvidia, kAmd };

// "nvidia", "amd".
std::string_view GpuVendorName(GpuVendor vendor);

struct GpuClocks {
  std::optional<uint32_t> sm_mhz;
  std::optional<uint32_t> memory_mhz;
};

// Errors since the driver was loaded (volatile) and since the board was made (aggregate).
struct GpuEcc {
  std::optional<bool> enabled;
  std::optional<bool> enabled_after_reboot;  // differs from `enabled` when a change waits for a reboot
  std::optional<uint64_t> volatile_corrected;
  std::optional<uint64_t> volatile_uncorrected;
  std::optional<uint64_t> aggregate_corrected;
  std::optional<uint64_t> aggregate_uncorrected;
};

// Rows of the GPU's memory that were replaced by spares.
struct GpuRemappedRows {
  uint32_t corrected = 0;
  uint32_t uncorrected = 0;
  bool pending = false;  // a reset is needed to finish
  bool failed = false;   // no spare row was left
};

struct GpuLink {
  uint32_t index = 0;
  bool active = false;
};

// Bits of NVML's clocks event (throttle) reasons; NVML documentation, "NvmlClocksEventReasons".
inline constexpr uint64_t kThrottleIdle = 0x1;
inline constexpr uint64_t kThrottleApplicationClocks = 0x2;
inline constexpr uint64_t kThrottleSoftwarePowerCap = 0x4;
inline constexpr uint64_t kThrottleHardwareSlowdown = 0x8;
inline constexpr uint64_t kThrottleSyncBoost = 0x10;
inline constexpr uint64_t kThrottleSoftwareThermal = 0x20;
inline constexpr uint64_t kThrottleHardwareThermal = 0x40;
inline constexpr uint64_t kThrottlePowerBrake = 0x80;
inline constexpr uint64_t kThrottleDisplayClocks = 0x100;

// The names of the set bits: {"idle", "software_power_cap"}; an unnamed bit is "bit_9".
std::vector<std::string> ThrottleReasonNames(uint64_t reasons);

struct Gpu {
  GpuVendor vendor = GpuVendor::kNvidia;
  uint32_t index = 0;
  // Why the device itself could not be opened ("GPU is lost"); everything below is then absent.
  base::Status handle = base::OkStatus();
  std::optional<std::string> uuid;
  std::optional<std::string> name;
  std::optional<std::string> pci_bus_id;  // "00000001:00:00.0"
  std::optional<uint64_t> memory_total_bytes;
  std::optional<uint64_t> memory_used_bytes;
  GpuClocks clocks;  // now
  GpuClocks maximum_clocks;
  GpuClocks application_clocks;              // what jobs run at unless something throttles
  std::optional<uint64_t> throttle_reasons;  // kThrottle...
  std::optional<double> power_watts;
  std::optional<double> power_limit_watts;
  std::optional<double> temperature_celsius;
  std::optional<uint32_t> utilization_percent;
  std::optional<double> energy_joules;   // since the driver was loaded
  std::optional<uint64_t> pcie_replays;  // packets that had to be sent again since the driver was loaded
  std::optional<bool> persistence;
  GpuEcc ecc;
  std::optional<GpuRemappedRows> remapped_rows;
  std::optional<std::vector<GpuLink>> links;  // NVLink; empty when the driver says that there are none
  Unknowns unknowns;                          // fields relative to the GPU: "power_watts"
};

struct GpuInventory {
  GpuVendor vendor = GpuVendor::kNvidia;
  std::string library;  // the name that was opened
  std::optional<std::string> driver_version;
  std::optional<std::string> library_version;
  std::vector<Gpu> gpus;  // one for each that the driver counts, also those that are lost
  Unknowns unknowns;      // fields relative to the inventory: "driver_version"
};

struct GpuSources {
  std::string nvml_library = "libnvidia-ml.so.1";
  std::string rocm_smi_library = "librocm_smi64.so";
  absl::Duration deadline = absl::Seconds(5);  // for one library, from opening to the last answer
};

// Asks one vendor's library for everything, within the deadline. kNotFound when the library is not installed (no GPU of
// this vendor, or no driver), kFailedPrecondition when the driver is not loaded or does not fit the library,
// kDeadlineExceeded naming the call that hung. A hung call keeps its thread until it returns: who asks again and again
// uses GpuWatch (gpu/gpu_watch.h), which starts no second one.
base::StatusOr<GpuInventory> ReadGpus(GpuVendor vendor, const GpuSources& sources);

base::Json GpuToJson(const Gpu& gpu);
base::Json GpuInventoryToJson(const GpuInventory& inventory);

}  // namespace ashlar::node
