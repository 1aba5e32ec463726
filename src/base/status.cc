#include "base/status.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace ashlar::base {
namespace {

constexpr std::array<StatusMapping, 17> kMappings = {{
    {StatusCode::kInternal, ExitStatus::kCouldNotRun, 500, "internal"},  // first: the default
    {StatusCode::kOk, ExitStatus::kPass, 200, "ok"},
    {StatusCode::kCancelled, ExitStatus::kCouldNotRun, 499, "cancelled"},
    {StatusCode::kUnknown, ExitStatus::kCouldNotRun, 500, "unknown"},
    {StatusCode::kInvalidArgument, ExitStatus::kUsage, 400, "invalid_argument"},
    {StatusCode::kDeadlineExceeded, ExitStatus::kCouldNotRun, 504, "deadline_exceeded"},
    {StatusCode::kNotFound, ExitStatus::kCouldNotRun, 404, "not_found"},
    {StatusCode::kAlreadyExists, ExitStatus::kCouldNotRun, 409, "already_exists"},
    {StatusCode::kPermissionDenied, ExitStatus::kCouldNotRun, 403, "permission_denied"},
    {StatusCode::kUnauthenticated, ExitStatus::kCouldNotRun, 401, "unauthenticated"},
    {StatusCode::kResourceExhausted, ExitStatus::kCouldNotRun, 429, "resource_exhausted"},
    {StatusCode::kFailedPrecondition, ExitStatus::kCouldNotRun, 412, "failed_precondition"},
    {StatusCode::kAborted, ExitStatus::kCouldNotRun, 409, "aborted"},
    {StatusCode::kOutOfRange, ExitStatus::kCouldNotRun, 416, "out_of_range"},
    {StatusCode::kUnimplemented, ExitStatus::kCouldNotRun, 501, "unimplemented"},
    {StatusCode::kUnavailable, ExitStatus::kCouldNotRun, 503, "unavailable"},
    {StatusCode::kDataLoss, ExitStatus::kCouldNotRun, 500, "data_loss"},
}};

StatusCode CodeOfErrno(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENODEV:
    case ENXIO: return StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS: return StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM: return StatusCode::kResourceExhausted;
    case EEXIST:
    case EADDRINUSE: return StatusCode::kAlreadyExists;
    case EINVAL:
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR: return StatusCode::kInvalidArgument;
    case EAGAIN:
    case EBUSY:
    case ECONNREFUSED:
    case ECONNRESET:
    case ENETUNREACH:
    case EHOSTUNREACH: return StatusCode::kUnavailable;
    case ETIMEDOUT: return StatusCode::kDeadlineExceeded;
    case ENOSYS:
    case EOPNOTSUPP: return StatusCode::kUnimplemented;
    default: return StatusCode::kInternal;
  }
}

}  // namespace

std::string_view Message(const Status& status) {
  return std::string_view(status.message().data(), status.message().size());
}

Status Annotate(const Status& status, std::string_view context) {
  if (status.ok()) return status;
  return Error(status.code(), "{}: {}", context, Message(status));
}

Status ErrnoStatus(int error_number, std::string_view context) {
  return Error(CodeOfErrno(error_number), "{}: {}", context, std::generic_category().message(error_number));
}

const StatusMapping& MapStatus(StatusCode code) {
  const auto* row = std::find_if(kMappings.begin(), kMappings.end(),
                                 [code](const StatusMapping& mapping) { return mapping.code == code; });
  return row == kMappings.end() ? kMappings.front() : *row;
}

}  // namespace ashlar::base
