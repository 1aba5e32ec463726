#include "bench/storage/sync_stage.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>

#include "bench/storage/limits.h"
#include "bench/storage/syscall_fault_testing.h"

namespace ashlar::bench {
namespace {

using base::StatusCode;
using testing::HasSubstr;

class SyncStageTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    parent_.emplace(*std::move(made));
  }
  std::optional<os::TemporaryDirectory> parent_;
};

struct FaultCase {
  std::string name;
  SystemCallFault fault;
  std::string says;
};

class SyncFaultTest : public SyncStageTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(SyncFaultTest, TellsTheError) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  const auto answer = RunWithFaults(
      {GetParam().fault}, [&] { return MeasureSync(*scratch, absl::Milliseconds(1), {}).status().ToString(); });
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SyncFaultTest,
    testing::Values(FaultCase{"SyncFails", {.number = SYS_fdatasync, .error = EIO}, "fdatasync: the storage lost"},
                    FaultCase{"NoFile", {.number = SYS_openat, .error = EACCES}, "PERMISSION_DENIED"}),
    [](const auto& row) { return row.param.name; });

TEST_F(SyncStageTest, AStopRequestEndsIt) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(MeasureSync(*scratch, absl::Hours(1), stop.get_token()).status().code(), StatusCode::kCancelled);
}

TEST_F(SyncStageTest, MeasuresAtLeastOnceAndLeavesNoName) {
  const auto scratch = Scratch::Create(parent_->path());
  ASSERT_TRUE(scratch.ok());
  const auto sync = MeasureSync(*scratch, absl::ZeroDuration(), {});
  ASSERT_TRUE(sync.ok()) << sync.status();
  EXPECT_GE(sync->operations, 1U);
  EXPECT_GT(sync->latency.max, absl::ZeroDuration());
  EXPECT_LE(sync->latency.p50, sync->latency.p999);
  EXPECT_THAT(*os::RealFileSystem().List(scratch->path()), testing::ElementsAre("about.txt", "owner.lock"));
}

// Memory takes well over 20,000 in a minute; the number ends it, not the time.
TEST_F(SyncStageTest, AtTheNumberOfOperationsItEnds) {
  auto memory = os::TemporaryDirectory::Create("/dev/shm");
  if (!memory.ok()) GTEST_SKIP() << "no /dev/shm here: " << memory.status();
  const auto scratch = Scratch::Create(memory->path());
  ASSERT_TRUE(scratch.ok());
  const auto sync = MeasureSync(*scratch, absl::Hours(1), {});
  ASSERT_TRUE(sync.ok()) << sync.status();
  EXPECT_EQ(sync->operations, kMaxStorageSyncOperations);
}

}  // namespace
}  // namespace ashlar::bench
