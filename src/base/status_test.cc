#include "base/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <set>

namespace ashlar::base {
namespace {

TEST(StatusTest, ErrorFormatsItsMessage) {
  const Status status = Error(StatusCode::kNotFound, "{} of {}", 3, "four");
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_EQ(Message(status), "3 of four");
  EXPECT_EQ(Message(OkStatus()), "");
}

TEST(StatusTest, AnnotateKeepsTheCode) {
  const Status status = Annotate(Error(StatusCode::kDataLoss, "torn"), "reading manifest");
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_EQ(Message(status), "reading manifest: torn");
  EXPECT_TRUE(Annotate(OkStatus(), "anything").ok());
}

TEST(StatusTest, ErrnoBecomesTheCodeInTheHeader) {
  struct Row {
    int error_number;
    StatusCode code;
  };
  const Row rows[] = {
      {ENOENT, StatusCode::kNotFound},          {ENODEV, StatusCode::kNotFound},
      {EACCES, StatusCode::kPermissionDenied},  {EPERM, StatusCode::kPermissionDenied},
      {EROFS, StatusCode::kPermissionDenied},   {ENOSPC, StatusCode::kResourceExhausted},
      {EDQUOT, StatusCode::kResourceExhausted}, {EMFILE, StatusCode::kResourceExhausted},
      {EEXIST, StatusCode::kAlreadyExists},     {EADDRINUSE, StatusCode::kAlreadyExists},
      {EINVAL, StatusCode::kInvalidArgument},   {ENOTDIR, StatusCode::kInvalidArgument},
      {EAGAIN, StatusCode::kUnavailable},       {EBUSY, StatusCode::kUnavailable},
      {ECONNREFUSED, StatusCode::kUnavailable}, {ETIMEDOUT, StatusCode::kDeadlineExceeded},
      {ENOSYS, StatusCode::kUnimplemented},     {EIO, StatusCode::kInternal},
      {12345, StatusCode::kInternal},
  };
  for (const Row& row : rows) EXPECT_EQ(ErrnoStatus(row.error_number, "x").code(), row.code) << row.error_number;
  // The text is the C library's (strerror).
  EXPECT_EQ(Message(ErrnoStatus(ENOENT, "opening /x")), "opening /x: No such file or directory");
}

// Statuses of RFC 9110, and 499 as nginx has it for a client that went away.
TEST(StatusTest, EveryCodeHasItsWayOut) {
  struct Row {
    StatusCode code;
    ExitStatus exit_status;
    int http_status;
    const char* label;
  };
  const Row rows[] = {
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
      {StatusCode::kInternal, ExitStatus::kCouldNotRun, 500, "internal"},
      {StatusCode::kUnavailable, ExitStatus::kCouldNotRun, 503, "unavailable"},
      {StatusCode::kDataLoss, ExitStatus::kCouldNotRun, 500, "data_loss"},
  };
  std::set<std::string> labels;
  for (const Row& row : rows) {
    const StatusMapping& mapping = MapStatus(row.code);
    EXPECT_EQ(mapping.code, row.code) << row.label;
    EXPECT_EQ(mapping.exit_status, row.exit_status) << row.label;
    EXPECT_EQ(mapping.http_status, row.http_status) << row.label;
    EXPECT_STREQ(mapping.label, row.label);
    labels.insert(mapping.label);
  }
  EXPECT_EQ(labels.size(), std::size(rows)) << "labels differ";
  EXPECT_EQ(MapStatus(static_cast<StatusCode>(99)).code, StatusCode::kInternal);
}

StatusOr<std::unique_ptr<int>> Half(int number) {
  if (number % 2 != 0) return Error(StatusCode::kInvalidArgument, "{} is odd", number);
  return std::make_unique<int>(number / 2);
}

StatusOr<int> Quarter(int number) {
  ASHLAR_ASSIGN_OR_RETURN(const std::unique_ptr<int> half, Half(number));
  ASHLAR_ASSIGN_OR_RETURN(auto quarter, Half(*half));
  return *quarter;
}

Status Check(int number) {
  ASHLAR_RETURN_IF_ERROR(Half(number).status());
  return Error(StatusCode::kAborted, "went on");
}

TEST(StatusTest, MacrosLeaveWithTheErrorAndOnlyThen) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Message(Quarter(7).status()), "7 is odd");
  EXPECT_EQ(Message(Quarter(6).status()), "3 is odd");
  EXPECT_EQ(Message(Check(1)), "1 is odd");
  EXPECT_EQ(Message(Check(2)), "went on");
}

}  // namespace
}  // namespace ashlar::base
