// NVML's return codes, each with what it means and what to do.
#include "node/gpu/gpu_library.h"
#include "node/gpu/nvml_abi.h"

namespace ashlar::node {
namespace {

struct Row {
  int code;
  base::StatusCode status;
  std::string_view meaning;
};

constexpr Row kRows[] = {
    {NVML_ERROR_UNINITIALIZED, base::StatusCode::kInternal, "the library is not initialised"},
    {NVML_ERROR_INVALID_ARGUMENT, base::StatusCode::kInvalidArgument, "invalid argument"},
    {NVML_ERROR_NOT_SUPPORTED, base::StatusCode::kUnimplemented, "not supported by this GPU"},
    {NVML_ERROR_NO_PERMISSION, base::StatusCode::kPermissionDenied,
     "no permission; run as root or allow this user to open /dev/nvidia*"},
    {NVML_ERROR_ALREADY_INITIALIZED, base::StatusCode::kInternal, "already initialised"},
    {NVML_ERROR_NOT_FOUND, base::StatusCode::kNotFound, "not found"},
    {NVML_ERROR_INSUFFICIENT_SIZE, base::StatusCode::kInternal, "a buffer is too small"},
    {NVML_ERROR_INSUFFICIENT_POWER, base::StatusCode::kFailedPrecondition,
     "the external power cables of a GPU are not attached"},
    {NVML_ERROR_DRIVER_NOT_LOADED, base::StatusCode::kFailedPrecondition,
     "the NVIDIA driver is not loaded; see `modprobe nvidia` and the kernel log"},
    {NVML_ERROR_TIMEOUT, base::StatusCode::kDeadlineExceeded, "the driver gave up waiting for the GPU"},
    {NVML_ERROR_IRQ_ISSUE, base::StatusCode::kInternal, "the kernel found an interrupt problem with a GPU"},
    {NVML_ERROR_LIBRARY_NOT_FOUND, base::StatusCode::kFailedPrecondition,
     "the library misses another one; reinstall the driver"},
    {NVML_ERROR_FUNCTION_NOT_FOUND, base::StatusCode::kUnimplemented, "this driver does not have the function"},
    {NVML_ERROR_CORRUPTED_INFOROM, base::StatusCode::kDataLoss,
     "the GPU's InfoROM is corrupted; ask for a replacement"},
    {NVML_ERROR_GPU_IS_LOST, base::StatusCode::kUnavailable,
     "the GPU is lost: it has fallen off the bus; drain the machine and restart it, and look for Xid 79"},
    {NVML_ERROR_RESET_REQUIRED, base::StatusCode::kUnavailable,
     "the GPU needs a reset before it works again; drain the machine and reset the GPU"},
    {NVML_ERROR_OPERATING_SYSTEM, base::StatusCode::kInternal, "the operating system blocked the GPU"},
    {NVML_ERROR_LIB_RM_VERSION_MISMATCH, base::StatusCode::kFailedPrecondition,
     "driver and library are of different versions; restart the machine after a driver update"},
    {NVML_ERROR_IN_USE, base::StatusCode::kUnavailable, "the GPU is in use"},
    {NVML_ERROR_MEMORY, base::StatusCode::kResourceExhausted, "not enough memory"},
    {NVML_ERROR_NO_DATA, base::StatusCode::kUnavailable, "no data"},
    {NVML_ERROR_VGPU_ECC_NOT_SUPPORTED, base::StatusCode::kUnimplemented, "ECC does not work with this vGPU"},
    {NVML_ERROR_INSUFFICIENT_RESOURCES, base::StatusCode::kResourceExhausted, "not enough resources of the GPU"},
    {NVML_ERROR_FREQ_NOT_SUPPORTED, base::StatusCode::kInvalidArgument, "frequency not supported"},
    {NVML_ERROR_ARGUMENT_VERSION_MISMATCH, base::StatusCode::kUnimplemented,
     "the driver knows another version of the structure"},
    {NVML_ERROR_DEPRECATED, base::StatusCode::kUnimplemented, "the driver no longer has the function"},
    {NVML_ERROR_NOT_READY, base::StatusCode::kUnavailable, "the driver is not ready yet"},
    {NVML_ERROR_GPU_NOT_FOUND, base::StatusCode::kNotFound, "no GPU was found"},
    {NVML_ERROR_UNKNOWN, base::StatusCode::kUnknown, "an internal error of the driver"},
};

}  // namespace

base::Status NvmlStatus(std::string_view call, int code) {
  if (code == NVML_SUCCESS) return base::OkStatus();
  for (const Row& row : kRows) {
    if (row.code == code) return base::Error(row.status, "{} answered {}: {}", call, code, row.meaning);
  }
  return base::Error(base::StatusCode::kUnknown, "{} answered {}, a code that NVML does not document", call, code);
}

}  // namespace ashlar::node
