// One vendor's GPU library behind one interface, and what all of its readers share.
//
// A library is used by one thread, and any call into it may hang: the name of the call that is running is left in
// CurrentCall, where the watching thread finds it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"
#include "node/gpu.h"

namespace ashlar::node {

// The name of the call into the driver that is running now, null while none is. Written by the thread that calls, read
// by any.
using CurrentCall = std::atomic<const char*>;

class GpuLibrary {
 public:
  virtual ~GpuLibrary() = default;
  // Everything of every GPU.
  virtual base::StatusOr<GpuInventory> ReadInventory() = 0;
  // What changes from second to second, into an inventory that ReadInventory made: clocks, throttling, power,
  // temperature, memory, utilisation, errors. Fields that it does not read stay; `unknowns` of each GPU starts anew.
  virtual base::Status ReadSensors(GpuInventory& inventory) = 0;
};

// Opens NVML and initialises it. kNotFound without the library, kFailedPrecondition when the driver is not loaded or of
// another version, else as NvmlStatus says. `current` must outlive the result.
base::StatusOr<std::unique_ptr<GpuLibrary>> OpenNvml(const std::string& library, CurrentCall& current);

// Opens ROCm SMI and initialises it; errors as OpenNvml. A name without a version also finds that name with .7 to .5.
base::StatusOr<std::unique_ptr<GpuLibrary>> OpenRocmSmi(const std::string& library, CurrentCall& current);

// NVML's return code of `call` as a status. Source: NVML documentation, nvmlReturn_t.
base::Status NvmlStatus(std::string_view call, int code);

// ROCm SMI's return code of `call` as a status. Source: rocm_smi.h, rsmi_status_t.
base::Status RocmSmiStatus(std::string_view call, uint32_t code);

// True for the values that NVML and DCGM give where there is no value: 32-bit numbers from 0x7ffffff0 to 0x7fffffff and
// 0xffffffff, 64-bit ones from 0x7ffffffffffffff0. Source: dcgm_fields.h, DCGM_INT32_BLANK and DCGM_INT64_BLANK.
bool IsBlank32(uint32_t value);
bool IsBlank64(uint64_t value);

// The text of a driver's buffer of `size` bytes; nullopt without its end, empty, unprintable, or "<<<NULL>>>".
std::optional<std::string> DriverText(const char* buffer, size_t size);

}  // namespace ashlar::node
