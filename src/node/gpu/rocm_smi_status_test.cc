#include <gtest/gtest.h>

#include "node/gpu/gpu_library.h"
#include "node/gpu/rocm_smi_abi.h"

namespace ashlar::node {
namespace {

TEST(RocmSmiStatusTest, HasARowForEveryCode) {
  EXPECT_TRUE(RocmSmiStatus("rsmi_init", RSMI_STATUS_SUCCESS).ok());
  for (uint32_t code = RSMI_STATUS_INVALID_ARGS; code <= RSMI_STATUS_REFCOUNT_OVERFLOW; ++code) {
    const base::Status status = RocmSmiStatus("call", code);
    EXPECT_FALSE(status.ok()) << code;
    EXPECT_EQ(base::Message(status).find("unknown error"), std::string_view::npos) << status;
  }
  EXPECT_EQ(RocmSmiStatus("call", 0xffffffff).code(), base::StatusCode::kUnknown);
}

}  // namespace
}  // namespace ashlar::node
