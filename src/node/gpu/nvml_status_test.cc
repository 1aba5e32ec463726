#include <gtest/gtest.h>

#include "node/gpu/gpu_library.h"
#include "node/gpu/nvml_abi.h"

namespace ashlar::node {
namespace {

TEST(NvmlStatusTest, HasARowForEveryCode) {
  EXPECT_TRUE(NvmlStatus("nvmlInit_v2", NVML_SUCCESS).ok());
  // 1 to 28 are documented in one run, and 999.
  for (int code = NVML_ERROR_UNINITIALIZED; code <= NVML_ERROR_GPU_NOT_FOUND; ++code) {
    const base::Status status = NvmlStatus("call", code);
    EXPECT_FALSE(status.ok()) << code;
    EXPECT_EQ(base::Message(status).find("does not document"), std::string_view::npos) << status;
  }
  EXPECT_EQ(NvmlStatus("call", NVML_ERROR_UNKNOWN).code(), base::StatusCode::kUnknown);
  EXPECT_EQ(NvmlStatus("call", NVML_ERROR_GPU_IS_LOST).code(), base::StatusCode::kUnavailable);
  EXPECT_EQ(NvmlStatus("call", NVML_ERROR_NOT_SUPPORTED).code(), base::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace ashlar::node
