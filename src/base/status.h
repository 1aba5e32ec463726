// Errors of the house: absl::Status and StatusOr, made with formatted messages and given context on the way up.
//
// A message says what was wrong, where, and what to do about it. One table maps a code to the exit status of the
// program, the HTTP status of the API and the label in metrics. Functions here hold no state; any thread may call them.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

namespace ashlar::base {

using absl::OkStatus;
using absl::Status;
using absl::StatusCode;
using absl::StatusOr;

// Makes an error of `code` with the message formatted by {fmt}'s rules.
template <typename... Args>
Status Error(StatusCode code, fmt::format_string<Args...> format, Args&&... args) {
  return Status(code, fmt::format(format, std::forward<Args>(args)...));
}

// The message of `status` as a standard view (abseil's own view type is another type on Debian).
std::string_view Message(const Status& status);

// "context: message", same code. OK stays OK.
Status Annotate(const Status& status, std::string_view context);

// An errno value as a Status: ENOENT kNotFound, EACCES/EPERM/EROFS kPermissionDenied, ENOSPC/EDQUOT/EMFILE
// kResourceExhausted, EEXIST kAlreadyExists, EINVAL kInvalidArgument, EAGAIN/EBUSY kUnavailable, ETIMEDOUT
// kDeadlineExceeded, else kInternal. The message is "context: strerror".
Status ErrnoStatus(int error_number, std::string_view context);

// How a command ends, as nccl-tests' and nagios' users expect it.
enum class ExitStatus {
  kPass = 0,         // everything asked for holds
  kFallsShort = 1,   // measured, and below what was expected
  kUsage = 2,        // the command line is wrong
  kCouldNotRun = 3,  // nothing was measured
};

// One row of the table that maps a code to the outside world.
struct StatusMapping {
  StatusCode code;
  ExitStatus exit_status;
  int http_status;
  const char* label;  // metric label, snake_case
};

// The mapping of `code`; codes outside the table map as kInternal does.
const StatusMapping& MapStatus(StatusCode code);

}  // namespace ashlar::base

// Leaves the function with the error, if there is one.
#define ASHLAR_RETURN_IF_ERROR(expression)           \
  do {                                               \
    ::absl::Status ashlar_status_ = (expression);    \
    if (!ashlar_status_.ok()) return ashlar_status_; \
  } while (false)

#define ASHLAR_CONCATENATE_INNER(a, b) a##b
#define ASHLAR_CONCATENATE(a, b) ASHLAR_CONCATENATE_INNER(a, b)

// ASHLAR_ASSIGN_OR_RETURN(auto x, F()): binds the value, or leaves the function with the error.
#define ASHLAR_ASSIGN_OR_RETURN(declaration, expression) \
  ASHLAR_ASSIGN_OR_RETURN_INNER(ASHLAR_CONCATENATE(ashlar_or_, __LINE__), declaration, expression)
#define ASHLAR_ASSIGN_OR_RETURN_INNER(name, declaration, expression) \
  auto name = (expression);                                          \
  if (!name.ok()) return std::move(name).status();                   \
  declaration = std::move(name).value()
