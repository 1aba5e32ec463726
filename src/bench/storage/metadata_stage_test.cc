#include "bench/storage/metadata_stage.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>

#include "bench/storage/syscall_fault_testing.h"

namespace ashlar::bench {
namespace {

using base::StatusCode;
using testing::HasSubstr;
using testing::IsEmpty;

class MetadataStageTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    parent_.emplace(*std::move(made));
    auto scratch = Scratch::Create(parent_->path());
    ASSERT_TRUE(scratch.ok());
    scratch_.emplace(*std::move(scratch));
  }
  std::optional<os::TemporaryDirectory> parent_;
  std::optional<Scratch> scratch_;
};

TEST_F(MetadataStageTest, NoFilesAllowedIsRefused) {
  EXPECT_EQ(MeasureMetadata(*scratch_, absl::Seconds(1), 0, {}).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(MetadataStageTest, AStopRequestEndsItAndTheFolderStillGoes) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(MeasureMetadata(*scratch_, absl::Hours(1), 100, stop.get_token()).status().code(), StatusCode::kCancelled);
  EXPECT_TRUE(scratch_->Remove().ok());
  EXPECT_THAT(*os::RealFileSystem().List(parent_->path()), IsEmpty());
}

struct FaultCase {
  std::string name;
  SystemCallFault fault;
  std::string says;
};

class MetadataFaultTest : public MetadataStageTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(MetadataFaultTest, TellsTheErrorAndTheFolderStillGoes) {
  const auto answer = RunWithFaults({GetParam().fault}, [this] {
    return MeasureMetadata(*scratch_, absl::Milliseconds(3), 10, {}).status().ToString();
  });
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr(GetParam().says));
  EXPECT_TRUE(scratch_->Remove().ok());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MetadataFaultTest,
    testing::Values(FaultCase{"NoFolder", {.number = SYS_mkdirat, .error = ENOSPC}, "No space left"},
                    FaultCase{"NoInodes",
                              {.number = SYS_openat, .error = ENOSPC, .argument = 2, .mask = O_CREAT},
                              "file 0: No space left"},
                    FaultCase{"NoRemoval", {.number = SYS_unlinkat, .error = EIO}, "Input/output error"}),
    [](const auto& row) { return row.param.name; });

TEST_F(MetadataStageTest, MeasuresAndRemovesEveryFile) {
  const auto metadata = MeasureMetadata(*scratch_, absl::Hours(1), 25, {});
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(metadata->files, 25U);
  EXPECT_GT(metadata->create_per_second, 0);
  EXPECT_GT(metadata->stat_per_second, 0);
  EXPECT_GT(metadata->remove_per_second, 0);
  EXPECT_THAT(*os::RealFileSystem().List(scratch_->path() + "/metadata"), IsEmpty());
}

TEST_F(MetadataStageTest, NoTimeStillMeasuresOneFile) {
  const auto metadata = MeasureMetadata(*scratch_, absl::ZeroDuration(), 100, {});
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(metadata->files, 1U);
}

}  // namespace
}  // namespace ashlar::bench
