// AMD GPUs through ROCm SMI.
#include <cstring>

#include "node/gpu/driver_call.h"
#include "node/gpu/rocm_smi_abi.h"
#include "node/gpu/shared_library.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr double kMicro = 1e6;
constexpr double kMilli = 1e3;
constexpr uint64_t kHertzPerMegahertz = 1'000'000;

struct RocmSmiFunctions {
  decltype(rsmi_init)* initialise = nullptr;
  decltype(rsmi_shut_down)* shut_down = nullptr;
  decltype(rsmi_version_get)* version = nullptr;
  decltype(rsmi_version_str_get)* driver_version = nullptr;
  decltype(rsmi_num_monitor_devices)* count = nullptr;
  decltype(rsmi_dev_name_get)* name = nullptr;
  decltype(rsmi_dev_unique_id_get)* unique_id = nullptr;
  decltype(rsmi_dev_pci_id_get)* pci = nullptr;
  decltype(rsmi_dev_memory_total_get)* memory_total = nullptr;
  decltype(rsmi_dev_memory_usage_get)* memory_used = nullptr;
  decltype(rsmi_dev_power_ave_get)* power = nullptr;
  decltype(rsmi_dev_power_cap_get)* power_cap = nullptr;
  decltype(rsmi_dev_temp_metric_get)* temperature = nullptr;
  decltype(rsmi_dev_gpu_clk_freq_get)* clocks = nullptr;
  decltype(rsmi_dev_busy_percent_get)* busy = nullptr;
  decltype(rsmi_dev_ecc_count_get)* ecc_count = nullptr;
  decltype(rsmi_dev_ecc_enabled_get)* ecc_enabled = nullptr;
};

RocmSmiFunctions FindRocmSmiFunctions(const SharedLibrary& library) {
  RocmSmiFunctions functions;
  library.Find("rsmi_init", functions.initialise);
  library.Find("rsmi_shut_down", functions.shut_down);
  library.Find("rsmi_version_get", functions.version);
  library.Find("rsmi_version_str_get", functions.driver_version);
  library.Find("rsmi_num_monitor_devices", functions.count);
  library.Find("rsmi_dev_name_get", functions.name);
  library.Find("rsmi_dev_unique_id_get", functions.unique_id);
  library.Find("rsmi_dev_pci_id_get", functions.pci);
  library.Find("rsmi_dev_memory_total_get", functions.memory_total);
  library.Find("rsmi_dev_memory_usage_get", functions.memory_used);
  library.Find("rsmi_dev_power_ave_get", functions.power);
  library.Find("rsmi_dev_power_cap_get", functions.power_cap);
  library.Find("rsmi_dev_temp_metric_get", functions.temperature);
  library.Find("rsmi_dev_gpu_clk_freq_get", functions.clocks);
  library.Find("rsmi_dev_busy_percent_get", functions.busy);
  library.Find("rsmi_dev_ecc_count_get", functions.ecc_count);
  library.Find("rsmi_dev_ecc_enabled_get", functions.ecc_enabled);
  return functions;
}

struct ClockPair {
  uint32_t now_mhz = 0;
  uint32_t highest_mhz = 0;
};

// The current and the highest of `count` frequencies in hertz; nullopt when they cannot be frequencies.
std::optional<ClockPair> PairOf(const uint64_t* frequencies, uint32_t count, uint32_t current, uint32_t capacity) {
  if (count == 0 || count > capacity || current >= count) return std::nullopt;
  ClockPair pair;
  for (uint32_t at = 0; at < count; ++at) {
    const uint64_t megahertz = frequencies[at] / kHertzPerMegahertz;
    if (megahertz > kHighestClockMhz) return std::nullopt;
    pair.highest_mhz = std::max(pair.highest_mhz, static_cast<uint32_t>(megahertz));
    if (at == current) pair.now_mhz = static_cast<uint32_t>(megahertz);
  }
  return pair;
}

class RocmSmi final : public GpuLibrary {
 public:
  RocmSmi(std::string name, SharedLibrary library, CurrentCall& current)
      : name_(std::move(name)),
        library_(std::move(library)),
        functions_(FindRocmSmiFunctions(library_)),
        current_(current) {}
  ~RocmSmi() override {
    if (initialised_) Call("rsmi_shut_down", functions_.shut_down).IgnoreError();  // nothing is left to do about it
  }

  base::Status Initialise() {
    ASHLAR_RETURN_IF_ERROR(Call("rsmi_init", functions_.initialise, uint64_t{0}));
    initialised_ = true;
    version_status_ = Call("rsmi_version_get", functions_.version, &version_);
    return base::OkStatus();
  }

  base::StatusOr<GpuInventory> ReadInventory() override;
  base::Status ReadSensors(GpuInventory& inventory) override {
    for (Gpu& gpu : inventory.gpus) {
      gpu.unknowns.clear();
      ReadGpuSensors(gpu);
    }
    return base::OkStatus();
  }

 private:
  template <typename Function, typename... Args>
  base::Status Call(const char* name, Function* function, Args... arguments) {
    return CallDriver(current_, name, RocmSmiStatus, function, arguments...);
  }

  base::StatusOr<std::string> DriverVersion();
  base::StatusOr<uint32_t> Count();
  base::StatusOr<double> Watts(const char* name, decltype(rsmi_dev_power_ave_get)* function, uint32_t index);
  base::StatusOr<ClockPair> Clocks(uint32_t index, int type);
  void ReadClocks(Gpu& gpu);
  void ReadConstants(Gpu& gpu);
  void ReadMemory(Gpu& gpu);
  void ReadEccCounts(Gpu& gpu);
  void ReadGpuSensors(Gpu& gpu);

  const std::string name_;
  const SharedLibrary library_;
  const RocmSmiFunctions functions_;
  CurrentCall& current_;
  rsmi_version_t version_ = {};
  base::Status version_status_;
  bool initialised_ = false;
};

base::StatusOr<std::string> RocmSmi::DriverVersion() {
  constexpr const char* kCall = "rsmi_version_str_get";
  char buffer[80] = {};
  ASHLAR_RETURN_IF_ERROR(Call(kCall, functions_.driver_version, 0, buffer, static_cast<uint32_t>(sizeof(buffer))));
  auto text = DriverText(buffer, sizeof(buffer));
  if (!text) return Implausible(kCall, "no text");
  return *std::move(text);
}

base::StatusOr<uint32_t> RocmSmi::Count() {
  uint32_t count = 0;
  const base::Status status = Call("rsmi_num_monitor_devices", functions_.count, &count);
  return Plausible32("rsmi_num_monitor_devices", status, count, kMaxGpus);
}

base::StatusOr<GpuInventory> RocmSmi::ReadInventory() {
  GpuInventory inventory;
  inventory.vendor = GpuVendor::kAmd;
  inventory.library = name_;
  Keep(inventory.unknowns, "driver_version", DriverVersion(), inventory.driver_version);
  base::StatusOr<std::string> version = fmt::format("{}.{}.{}", version_.major, version_.minor, version_.patch);
  if (!version_status_.ok()) version = version_status_;
  Keep(inventory.unknowns, "library_version", version, inventory.library_version);
  ASHLAR_ASSIGN_OR_RETURN(const uint32_t count, Count());
  for (uint32_t index = 0; index < count; ++index) {
    Gpu& gpu = inventory.gpus.emplace_back();
    gpu.vendor = GpuVendor::kAmd;
    gpu.index = index;
    ReadConstants(gpu);
    ReadGpuSensors(gpu);
  }
  return inventory;
}

void RocmSmi::ReadConstants(Gpu& gpu) {
  char buffer[128] = {};
  base::Status status = Call("rsmi_dev_name_get", functions_.name, gpu.index, buffer, sizeof(buffer));
  gpu.name = status.ok() ? DriverText(buffer, sizeof(buffer)) : std::nullopt;
  if (status.ok() && !gpu.name) status = Implausible("rsmi_dev_name_get", "no text");
  if (!status.ok()) AddUnknown(gpu.unknowns, "name", status);
  uint64_t number = 0;
  status = Call("rsmi_dev_unique_id_get", functions_.unique_id, gpu.index, &number);
  if (status.ok() && number == 0) status = Implausible("rsmi_dev_unique_id_get", "0");
  if (status.ok())
    gpu.uuid = fmt::format("GPU-{:016x}", number);
  else
    AddUnknown(gpu.unknowns, "uuid", status);
  status = Call("rsmi_dev_pci_id_get", functions_.pci, gpu.index, &number);
  // Domain in bits 32 to 63, then bus, device and function (rocm_smi.h).
  if (status.ok()) {
    gpu.pci_bus_id = fmt::format("{:08x}:{:02x}:{:02x}.{:x}", number >> 32U, (number >> 8U) & 0xffU,
                                 (number >> 3U) & 0x1fU, number & 0x7U);
  } else {
    AddUnknown(gpu.unknowns, "pci_bus_id", status);
  }
  Keep(gpu.unknowns, "power_limit_watts", Watts("rsmi_dev_power_cap_get", functions_.power_cap, gpu.index),
       gpu.power_limit_watts);
  status = Call("rsmi_dev_ecc_enabled_get", functions_.ecc_enabled, gpu.index, &number);
  if (status.ok())
    gpu.ecc.enabled = (number & RSMI_GPU_BLOCK_UMC) != 0;
  else
    AddUnknown(gpu.unknowns, "ecc.enabled", status);
}

base::StatusOr<double> RocmSmi::Watts(const char* name, decltype(rsmi_dev_power_ave_get)* function, uint32_t index) {
  uint64_t microwatts = 0;
  const base::Status status = Call(name, function, index, uint32_t{0}, &microwatts);
  ASHLAR_ASSIGN_OR_RETURN(const uint64_t power, Plausible64(name, status, microwatts));
  const double watts = static_cast<double>(power) / kMicro;
  if (watts > kHighestWatts) return Implausible(name, fmt::format("{} microwatts", power));
  return watts;
}

// The structure grew at its front in ROCm 6, so the version decides how the bytes are read.
base::StatusOr<ClockPair> RocmSmi::Clocks(uint32_t index, int type) {
  constexpr const char* kCall = "rsmi_dev_gpu_clk_freq_get";
  constexpr uint32_t kGrownInMajor = 6;
  ASHLAR_RETURN_IF_ERROR(version_status_);
  alignas(uint64_t) char answer[1024] = {};  // larger than any known version
  ASHLAR_RETURN_IF_ERROR(Call(kCall, functions_.clocks, index, type, static_cast<void*>(answer)));
  std::optional<ClockPair> pair;
  if (version_.major >= kGrownInMajor) {
    rsmi_frequencies_v6_t table = {};
    std::memcpy(&table, answer, sizeof(table));
    pair = PairOf(table.frequency, table.num_supported, table.current, std::size(table.frequency));
  } else {
    rsmi_frequencies_v5_t table = {};
    std::memcpy(&table, answer, sizeof(table));
    pair = PairOf(table.frequency, table.num_supported, table.current, std::size(table.frequency));
  }
  if (!pair) return Implausible(kCall, "no table of frequencies");
  return *pair;
}

void RocmSmi::ReadClocks(Gpu& gpu) {
  gpu.clocks = {};
  gpu.maximum_clocks = {};
  const auto system = Clocks(gpu.index, RSMI_CLK_TYPE_SYS);
  if (system.ok()) {
    gpu.clocks.sm_mhz = system->now_mhz;
    gpu.maximum_clocks.sm_mhz = system->highest_mhz;
  } else {
    AddUnknown(gpu.unknowns, "clocks.sm_mhz", system.status());
  }
  const auto memory = Clocks(gpu.index, RSMI_CLK_TYPE_MEM);
  if (memory.ok()) {
    gpu.clocks.memory_mhz = memory->now_mhz;
    gpu.maximum_clocks.memory_mhz = memory->highest_mhz;
  } else {
    AddUnknown(gpu.unknowns, "clocks.memory_mhz", memory.status());
  }
}

void RocmSmi::ReadMemory(Gpu& gpu) {
  constexpr int kType = RSMI_MEM_TYPE_VRAM;
  gpu.memory_total_bytes.reset();
  gpu.memory_used_bytes.reset();
  uint64_t total = 0;
  uint64_t used = 0;
  base::Status status = Call("rsmi_dev_memory_total_get", functions_.memory_total, gpu.index, kType, &total);
  if (status.ok()) status = Call("rsmi_dev_memory_usage_get", functions_.memory_used, gpu.index, kType, &used);
  if (status.ok() && (total == 0 || IsBlank64(total) || used > total)) {
    status = Implausible("rsmi_dev_memory_usage_get", fmt::format("{} of {} bytes used", used, total));
  }
  if (!status.ok()) return AddUnknown(gpu.unknowns, "memory_total_bytes", status);
  gpu.memory_total_bytes = total;
  gpu.memory_used_bytes = used;
}

void RocmSmi::ReadEccCounts(Gpu& gpu) {
  constexpr const char* kCall = "rsmi_dev_ecc_count_get";
  rsmi_error_count_t count = {};
  const base::Status status = Call(kCall, functions_.ecc_count, gpu.index, int{RSMI_GPU_BLOCK_UMC}, &count);
  Keep(gpu.unknowns, "ecc.volatile_corrected", Plausible64(kCall, status, count.correctable_err),
       gpu.ecc.volatile_corrected);
  Keep(gpu.unknowns, "ecc.volatile_uncorrected", Plausible64(kCall, status, count.uncorrectable_err),
       gpu.ecc.volatile_uncorrected);
}

void RocmSmi::ReadGpuSensors(Gpu& gpu) {
  ReadMemory(gpu);
  ReadClocks(gpu);
  ReadEccCounts(gpu);
  Keep(gpu.unknowns, "power_watts", Watts("rsmi_dev_power_ave_get", functions_.power, gpu.index), gpu.power_watts);
  uint32_t percent = 0;
  base::Status status = Call("rsmi_dev_busy_percent_get", functions_.busy, gpu.index, &percent);
  Keep(gpu.unknowns, "utilization_percent", Plausible32("rsmi_dev_busy_percent_get", status, percent, 100),
       gpu.utilization_percent);
  int64_t millidegrees = 0;
  status = Call("rsmi_dev_temp_metric_get", functions_.temperature, gpu.index, uint32_t{RSMI_TEMP_TYPE_JUNCTION},
                int{RSMI_TEMP_CURRENT}, &millidegrees);
  const double celsius = static_cast<double>(millidegrees) / kMilli;
  if (status.ok() && (celsius <= -kHighestCelsius || celsius > kHighestCelsius)) {
    status = Implausible("rsmi_dev_temp_metric_get", fmt::format("{} thousandths of a degree", millidegrees));
  }
  gpu.temperature_celsius.reset();
  if (status.ok())
    gpu.temperature_celsius = celsius;
  else
    AddUnknown(gpu.unknowns, "temperature_celsius", status);
}

}  // namespace

base::StatusOr<std::unique_ptr<GpuLibrary>> OpenRocmSmi(const std::string& library, CurrentCall& current) {
  base::StatusOr<SharedLibrary> opened = base::Error(base::StatusCode::kUnknown, "not opened");
  {
    const CallMark mark(current, "dlopen");
    opened = SharedLibrary::Open(library);
    // The name without a version comes with the development package only; machines have the versioned one.
    for (const std::string_view version : {".7", ".6", ".5"}) {
      if (!absl::IsNotFound(opened.status())) break;
      base::StatusOr<SharedLibrary> other = SharedLibrary::Open(fmt::format("{}{}", library, version));
      if (!absl::IsNotFound(other.status())) opened = std::move(other);
    }
  }
  ASHLAR_RETURN_IF_ERROR(opened.status());
  auto rocm_smi = std::make_unique<RocmSmi>(library, std::move(*opened), current);
  ASHLAR_RETURN_IF_ERROR(rocm_smi->Initialise());
  return rocm_smi;
}

}  // namespace ashlar::node
