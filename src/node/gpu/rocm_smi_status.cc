// ROCm SMI's return codes, each with what it means and what to do.
#include "node/gpu/gpu_library.h"
#include "node/gpu/rocm_smi_abi.h"

namespace ashlar::node {
namespace {

struct Row {
  uint32_t code;
  base::StatusCode status;
  std::string_view meaning;
};

constexpr Row kRows[] = {
    {RSMI_STATUS_INVALID_ARGS, base::StatusCode::kInvalidArgument, "invalid argument"},
    {RSMI_STATUS_NOT_SUPPORTED, base::StatusCode::kUnimplemented, "not supported by this GPU or driver"},
    {RSMI_STATUS_FILE_ERROR, base::StatusCode::kUnavailable, "a file of the driver could not be read"},
    {RSMI_STATUS_PERMISSION, base::StatusCode::kPermissionDenied,
     "no permission; add this user to the groups render and video"},
    {RSMI_STATUS_OUT_OF_RESOURCES, base::StatusCode::kResourceExhausted, "not enough resources"},
    {RSMI_STATUS_INTERNAL_EXCEPTION, base::StatusCode::kInternal, "an exception inside the library"},
    {RSMI_STATUS_INPUT_OUT_OF_BOUNDS, base::StatusCode::kInvalidArgument, "an argument is out of range"},
    {RSMI_STATUS_INIT_ERROR, base::StatusCode::kFailedPrecondition,
     "the amdgpu driver is not loaded; see `modprobe amdgpu` and the kernel log"},
    {RSMI_STATUS_NOT_YET_IMPLEMENTED, base::StatusCode::kUnimplemented, "this library does not have it yet"},
    {RSMI_STATUS_NOT_FOUND, base::StatusCode::kNotFound, "not found"},
    {RSMI_STATUS_INSUFFICIENT_SIZE, base::StatusCode::kInternal, "a buffer is too small"},
    {RSMI_STATUS_INTERRUPT, base::StatusCode::kUnavailable, "interrupted"},
    {RSMI_STATUS_UNEXPECTED_SIZE, base::StatusCode::kDataLoss, "the driver gave more or less than expected"},
    {RSMI_STATUS_NO_DATA, base::StatusCode::kUnavailable, "no data"},
    {RSMI_STATUS_UNEXPECTED_DATA, base::StatusCode::kDataLoss, "the driver gave data that was not expected"},
    {RSMI_STATUS_BUSY, base::StatusCode::kUnavailable, "busy"},
    {RSMI_STATUS_REFCOUNT_OVERFLOW, base::StatusCode::kInternal, "a reference count ran over"},
};

}  // namespace

base::Status RocmSmiStatus(std::string_view call, uint32_t code) {
  if (code == RSMI_STATUS_SUCCESS) return base::OkStatus();
  for (const Row& row : kRows) {
    if (row.code == code) return base::Error(row.status, "{} answered {}: {}", call, code, row.meaning);
  }
  return base::Error(base::StatusCode::kUnknown, "{} answered {:#x}: an unknown error of the library", call, code);
}

}  // namespace ashlar::node
