// Reads one NVIDIA GPU through NVML, value by value: each that fails is absent and has its line in gpu.unknowns.
//
// For the one thread that uses the library.
#pragma once

#include "node/gpu/driver_call.h"
#include "node/gpu/nvml_functions.h"

namespace ashlar::node {

class NvmlDevice {
 public:
  // All of them must outlive this object.
  NvmlDevice(const NvmlFunctions& functions, CurrentCall& current, nvmlDevice_t device, Gpu& gpu)
      : functions_(functions), current_(current), device_(device), gpu_(gpu) {}

  // What stays: names, limits, modes, links.
  void ReadConstants();
  // What changes from second to second.
  void ReadSensors();

 private:
  template <typename Function, typename... Args>
  base::Status Call(const char* name, Function* function, Args... arguments) {
    return CallDriver(current_, name, NvmlStatus, function, device_, arguments...);
  }
  template <typename Function>
  base::StatusOr<std::string> Text(const char* name, Function* function);
  template <typename Function>
  void ReadClocks(const char* name, Function* function, std::string_view field, GpuClocks& clocks);
  template <typename Function>
  base::StatusOr<double> Watts(const char* name, Function* function);

  void ReadBusId();
  void ReadLinks();
  void ReadModes();
  void ReadMemory();
  void ReadPower();
  void ReadLoad();
  void ReadEccCounts();
  void ReadRemappedRows();

  const NvmlFunctions& functions_;
  CurrentCall& current_;
  nvmlDevice_t device_;
  Gpu& gpu_;
};

}  // namespace ashlar::node
