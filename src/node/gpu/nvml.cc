// NVIDIA's library: opening, counting, and which GPU is which.
#include "node/gpu/nvml_device.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

class Nvml final : public GpuLibrary {
 public:
  Nvml(std::string name, SharedLibrary library, CurrentCall& current)
      : name_(std::move(name)),
        library_(std::move(library)),
        functions_(FindNvmlFunctions(library_)),
        current_(current) {}
  ~Nvml() override {
    if (initialised_) Call("nvmlShutdown", functions_.shut_down).IgnoreError();  // nothing is left to do about it
  }

  base::Status Initialise() {
    ASHLAR_RETURN_IF_ERROR(Call("nvmlInit_v2", functions_.initialise));
    initialised_ = true;
    return base::OkStatus();
  }

  base::StatusOr<GpuInventory> ReadInventory() override {
    GpuInventory inventory;
    inventory.vendor = GpuVendor::kNvidia;
    inventory.library = name_;
    Keep(inventory.unknowns, "driver_version", Text("nvmlSystemGetDriverVersion", functions_.driver_version),
         inventory.driver_version);
    Keep(inventory.unknowns, "library_version", Text("nvmlSystemGetNVMLVersion", functions_.library_version),
         inventory.library_version);
    ASHLAR_ASSIGN_OR_RETURN(const uint32_t count, Count());
    for (uint32_t index = 0; index < count; ++index) {
      Gpu& gpu = inventory.gpus.emplace_back();
      gpu.index = index;
      ReadGpu(gpu, true);
    }
    return inventory;
  }

  base::Status ReadSensors(GpuInventory& inventory) override {
    for (Gpu& gpu : inventory.gpus) ReadGpu(gpu, false);
    return base::OkStatus();
  }

 private:
  template <typename Function, typename... Args>
  base::Status Call(const char* name, Function* function, Args... arguments) {
    return CallDriver(current_, name, NvmlStatus, function, arguments...);
  }

  template <typename Function>
  base::StatusOr<std::string> Text(const char* name, Function* function) {
    char buffer[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = {};
    ASHLAR_RETURN_IF_ERROR(Call(name, function, buffer, static_cast<unsigned int>(sizeof(buffer))));
    auto text = DriverText(buffer, sizeof(buffer));
    if (!text) return Implausible(name, "no text");
    return *std::move(text);
  }

  base::StatusOr<uint32_t> Count() {
    unsigned int count = 0;
    const base::Status status = Call("nvmlDeviceGetCount_v2", functions_.count, &count);
    return Plausible32("nvmlDeviceGetCount_v2", status, count, kMaxGpus);
  }

  // Handles are asked for anew each time: that call is where a GPU that fell off the bus shows.
  void ReadGpu(Gpu& gpu, bool with_constants) {
    gpu.unknowns.clear();
    nvmlDevice_t device = nullptr;
    gpu.handle = Call("nvmlDeviceGetHandleByIndex_v2", functions_.handle, gpu.index, &device);
    if (gpu.handle.ok() && device == nullptr) gpu.handle = Implausible("nvmlDeviceGetHandleByIndex_v2", "no handle");
    if (!gpu.handle.ok()) {
      // Values of a moment ago must not pass for those of a GPU that is gone; its names stay.
      Gpu gone;
      gone.index = gpu.index;
      gone.handle = gpu.handle;
      gone.uuid = gpu.uuid;
      gone.name = gpu.name;
      gone.pci_bus_id = gpu.pci_bus_id;
      gpu = std::move(gone);
      AddUnknown(gpu.unknowns, "handle", gpu.handle);
      return;
    }
    NvmlDevice reader(functions_, current_, device, gpu);
    if (with_constants) reader.ReadConstants();
    reader.ReadSensors();
  }

  const std::string name_;
  const SharedLibrary library_;
  const NvmlFunctions functions_;
  CurrentCall& current_;
  bool initialised_ = false;
};

}  // namespace

base::StatusOr<std::unique_ptr<GpuLibrary>> OpenNvml(const std::string& library, CurrentCall& current) {
  base::StatusOr<SharedLibrary> opened = base::Error(base::StatusCode::kUnknown, "not opened");
  {
    const CallMark mark(current, "dlopen");
    opened = SharedLibrary::Open(library);
  }
  ASHLAR_RETURN_IF_ERROR(opened.status());
  auto nvml = std::make_unique<Nvml>(library, std::move(*opened), current);
  ASHLAR_RETURN_IF_ERROR(nvml->Initialise());
  return nvml;
}

}  // namespace ashlar::node
