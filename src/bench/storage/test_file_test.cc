#include "bench/storage/test_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "bench/storage/limits.h"
#include "bench/storage/syscall_fault_testing.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::StatusCode;
using testing::HasSubstr;
using testing::IsEmpty;

class TestFileTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    parent_.emplace(*std::move(made));
    options_.size = Bytes{kMinStorageFileBytes};
  }
  // Makes the file in a child whose kernel gives `faults`, and says how that went.
  base::StatusOr<std::string> CreateWith(const std::vector<SystemCallFault>& faults) const {
    return RunWithFaults(faults, [this]() -> std::string {
      const auto scratch = Scratch::Create(parent_->path());
      if (!scratch.ok()) return scratch.status().ToString();
      const auto file = TestFile::Create(*scratch, options_);
      if (!file.ok()) return file.status().ToString();
      return fmt::format("direct {}: {}", file->direct(), file->direct_reason());
    });
  }

  std::optional<os::TemporaryDirectory> parent_;
  TestFileOptions options_;
};

struct FaultCase {
  std::string name;
  std::vector<SystemCallFault> faults;
  std::string says;
};

class TestFileFaultTest : public TestFileTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(TestFileFaultTest, EveryErrorIsToldAndNothingStays) {
  const auto answer = CreateWith(GetParam().faults);
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr(GetParam().says));
  EXPECT_THAT(*os::RealFileSystem().List(parent_->path()), IsEmpty());
}

const SystemCallFault kNoDirect = {.number = SYS_openat, .error = EINVAL, .argument = 2, .mask = O_DIRECT};

INSTANTIATE_TEST_SUITE_P(
    Rows, TestFileFaultTest,
    testing::Values(
        FaultCase{"DirectRefusedOnOpen", {kNoDirect}, "direct false: the file system refuses O_DIRECT"},
        FaultCase{"NoAllocation", {{.number = SYS_fallocate, .error = EOPNOTSUPP}}, "direct "},
        FaultCase{"AllocationFindsNoSpace", {{.number = SYS_fallocate, .error = ENOSPC}}, "No space left"},
        FaultCase{"QuotaOnAllocation", {{.number = SYS_fallocate, .error = EDQUOT}}, "quota"},
        FaultCase{"WritesFindNoSpace", {kNoDirect, {.number = SYS_pwrite64, .error = ENOSPC}}, "RESOURCE_EXHAUSTED"},
        FaultCase{"WritesFail", {kNoDirect, {.number = SYS_pwrite64, .error = EIO}}, "Input/output error"},
        FaultCase{"FlushFails", {{.number = SYS_fsync, .error = EIO}}, "fsync: Input/output error"},
        FaultCase{"CutFails", {{.number = SYS_ftruncate, .error = EIO}}, "Input/output error"},
        FaultCase{
            "NoFiles", {{.number = SYS_openat, .error = ENOSPC, .argument = 2, .mask = O_CREAT}}, "No space left"}),
    [](const auto& row) { return row.param.name; });

// A file system may take the flag and refuse the first direct write: the same fallback.
TEST_F(TestFileTest, DirectRefusedOnTheFirstWriteFallsBack) {
  // pwrite refused altogether: the probe falls back, and the buffered fill then fails with the same error.
  const auto answer = CreateWith({{.number = SYS_pwrite64, .error = EINVAL}});
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr("Invalid argument"));
}

TEST_F(TestFileTest, IsWrittenInFullHasNoHolesAndNoName) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  options_.size = Bytes{kMinStorageFileBytes + 1};  // rounded down to whole chunks
  const auto file = TestFile::Create(*scratch, options_);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), Bytes{kMinStorageFileBytes});
  struct stat facts = {};
  ASSERT_EQ(fstat(file->descriptor(), &facts), 0);
  EXPECT_EQ(static_cast<uint64_t>(facts.st_size), kMinStorageFileBytes);
  EXPECT_GE(static_cast<uint64_t>(facts.st_blocks) * 512, kMinStorageFileBytes);
  EXPECT_EQ(facts.st_nlink, 0U);
  EXPECT_THAT(*os::RealFileSystem().List(scratch->path()), testing::ElementsAre("about.txt", "owner.lock"));
}

TEST_F(TestFileTest, AReasonAgainstDirectIsKept) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  options_.no_direct_reason = "tmpfs keeps its files in memory";
  const auto file = TestFile::Create(*scratch, options_);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_FALSE(file->direct());
  EXPECT_EQ(file->direct_reason(), "tmpfs keeps its files in memory");
  EXPECT_EQ(fcntl(file->descriptor(), F_GETFL) & O_DIRECT, 0);
  file->DropCache();
}

TEST_F(TestFileTest, AStopRequestEndsTheWriting) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  EXPECT_EQ(TestFile::Create(*scratch, options_).status().code(), StatusCode::kCancelled);
}

TEST_F(TestFileTest, NoTimeAtAllIsADeadline) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  options_.time_limit = absl::ZeroDuration();
  const auto file = TestFile::Create(*scratch, options_);
  EXPECT_EQ(file.status().code(), StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(base::Message(file.status())), HasSubstr("--budget"));
}

}  // namespace
}  // namespace ashlar::bench
