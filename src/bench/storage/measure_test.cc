#include "bench/storage/measure.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "bench/storage/limits.h"
#include "bench/storage/syscall_fault_testing.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::StatusCode;
using testing::HasSubstr;
using testing::IsEmpty;

class MeasureStorageTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    parent_.emplace(*std::move(made));
    options_.path = parent_->path();
    options_.size = Bytes{kMinStorageFileBytes};
    options_.cell_time = kMinStorageCellTime;
    options_.ramp = absl::Milliseconds(10);
    options_.cells = {{AccessPattern::kSequential, IoOperation::kWrite, Bytes{base::kMiB}, 4},
                      {AccessPattern::kRandom, IoOperation::kRead, Bytes{4096}, 8}};
    options_.sync = false;
    options_.metadata = false;
  }
  std::vector<std::string> Names() const { return *os::RealFileSystem().List(parent_->path()); }
  // The result's JSON text or the status, from a child whose kernel gives `faults`.
  base::StatusOr<std::string> MeasureWith(const std::vector<SystemCallFault>& faults) const {
    return RunWithFaults(faults, [this]() -> std::string {
      const auto result = MeasureStorage(options_, {}, {});
      return result.ok() ? base::WriteJson(StorageResultToJson(*result)) : result.status().ToString();
    });
  }

  std::optional<os::TemporaryDirectory> parent_;
  StorageOptions options_;
};

TEST_F(MeasureStorageTest, OptionsOutOfLimitsAreRefused) {
  options_.cells.clear();
  EXPECT_EQ(MeasureStorage(options_, {}, {}).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(MeasureStorageTest, AMissingFolderIsNotFound) {
  options_.path = parent_->path() + "/absent";
  EXPECT_EQ(MeasureStorage(options_, {}, {}).status().code(), StatusCode::kNotFound);
}

TEST_F(MeasureStorageTest, AFileIsNoFolder) {
  options_.path = parent_->path() + "/file";
  std::filesystem::copy_file("/proc/self/status", options_.path);
  EXPECT_FALSE(MeasureStorage(options_, {}, {}).ok());
}

TEST_F(MeasureStorageTest, AFileLargerThanTheFreeSpaceIsRefusedBeforeAnythingIsWritten) {
  struct Step {
    std::vector<std::string> seen;
  } steps;
  options_.size = Bytes{kMaxStorageFileBytes};
  const auto result = MeasureStorage(options_, [&steps](std::string_view step) { steps.seen.emplace_back(step); }, {});
  if (result.ok()) GTEST_SKIP() << "this machine has more than 1 TiB free";
  EXPECT_EQ(result.status().code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(base::Message(result.status())), HasSubstr("are missing"));
  EXPECT_THAT(steps.seen, IsEmpty());
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(MeasureStorageTest, MeasuresEveryCellAndLeavesNothing) {
  options_.sync = true;
  options_.metadata = true;
  options_.budget = kMinStorageBudget;
  options_.run = "run-7";
  options_.demand = *ParseStorageDemand("checkpoint_bytes=1M,interval=1h,loading_rate=1");
  std::vector<std::string> steps;
  const auto result = MeasureStorage(options_, [&](std::string_view step) { steps.emplace_back(step); }, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->run, "run-7");
  EXPECT_EQ(result->runs.size(), 2U);
  EXPECT_TRUE(result->sync);
  EXPECT_TRUE(result->metadata);
  EXPECT_EQ(result->findings.size(), 3U);
  EXPECT_THAT(steps, testing::Contains("random read 4 KiB depth 8 (2 of 2)"));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(MeasureStorageTest, AStopRequestCancelsAndLeavesNothing) {
  std::stop_source stop;
  // At each step in turn: whatever is under way, the folder goes.
  for (std::string_view at : {"writing", "sequential write", "random read", "fsync", "creating"}) {
    options_.sync = true;
    options_.metadata = true;
    stop = std::stop_source();
    const auto result = MeasureStorage(
        options_,
        [&](std::string_view step) {
          if (step.starts_with(at)) stop.request_stop();
        },
        stop.get_token());
    EXPECT_EQ(result.status().code(), StatusCode::kCancelled) << at;
    EXPECT_THAT(Names(), IsEmpty()) << at;
  }
}

TEST_F(MeasureStorageTest, TheLeftoverOfAKilledMeasurementIsRemovedAndNoted) {
  std::filesystem::create_directory(parent_->path() + "/.ashlar-bench-dead00");
  for (const char* name : {"owner.lock", "about.txt"}) {
    std::ofstream(parent_->path() + "/.ashlar-bench-dead00/" + name) << "1\n";
  }
  const auto result = MeasureStorage(options_, {}, {});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->notes.size(), 1U);
  EXPECT_THAT(result->notes[0], HasSubstr(".ashlar-bench-dead00, left by a measurement that was killed"));
  EXPECT_THAT(Names(), IsEmpty());
}

// Memory takes O_DIRECT since Linux 6.6 and means nothing by it.
TEST_F(MeasureStorageTest, FiguresOfMemoryAreBufferedAndPassNothing) {
  auto memory = os::TemporaryDirectory::Create("/dev/shm");
  if (!memory.ok()) GTEST_SKIP() << "no /dev/shm here: " << memory.status();
  options_.path = memory->path();
  options_.demand = *ParseStorageDemand("checkpoint_bytes=1M,interval=1h");
  const auto result = MeasureStorage(options_, {}, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->direct);
  EXPECT_THAT(result->direct_reason, HasSubstr("memory"));
  EXPECT_EQ(result->findings[0].verdict, base::Verdict::kUnknown);
}

struct FaultCase {
  std::string name;
  std::vector<SystemCallFault> faults;
  std::vector<std::string> says;
};

class MeasureFaultTest : public MeasureStorageTest, public testing::WithParamInterface<FaultCase> {};

TEST_P(MeasureFaultTest, TheFallbackOrTheErrorIsStatedAndNothingStays) {
  options_.sync = true;
  options_.metadata = true;
  options_.budget = kMinStorageBudget;
  options_.demand = *ParseStorageDemand("checkpoint_bytes=1M,interval=1h");
  const auto answer = MeasureWith(GetParam().faults);
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  for (const std::string& piece : GetParam().says) EXPECT_THAT(*answer, HasSubstr(piece));
  EXPECT_THAT(Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MeasureFaultTest,
    testing::Values(
        FaultCase{"NoRing",
                  {{.number = SYS_io_uring_setup, .error = EPERM}},
                  {R"("engine":"threads")", "io_uring is refused"}},
        FaultCase{"NoDirect",
                  {{.number = SYS_openat, .error = EINVAL, .argument = 2, .mask = O_DIRECT}},
                  {R"("direct":false)", "refuses O_DIRECT", R"("verdict":"unknown")", "page cache"}},
        FaultCase{"NeitherAndNoSync",
                  {{.number = SYS_io_uring_setup, .error = ENOSYS},
                   {.number = SYS_fdatasync, .error = EIO},
                   {.number = SYS_mkdirat, .error = EMLINK}},
                  {R"("engine":"threads")", "fsync not measured", "names not measured", R"("fsync":null)"}},
        FaultCase{"SpaceEndsWhileAllocating", {{.number = SYS_fallocate, .error = ENOSPC}}, {"RESOURCE_EXHAUSTED"}},
        FaultCase{"DiskBreaks", {{.number = SYS_fsync, .error = EIO}}, {"fsync: Input/output error"}}),
    [](const auto& row) { return row.param.name; });

// A measurement in a process of its own, ended by a signal once it has said that it is at a given step.
class SignalTest : public MeasureStorageTest, public testing::WithParamInterface<int> {
 protected:
  // The child's wait status after `signal` at the first step that starts with `at`.
  int KillAt(std::string_view at, int signal) {
    int channel[2] = {-1, -1};
    EXPECT_EQ(pipe2(channel, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) RunChild(channel[1], at);
    close(channel[1]);
    pollfd wait = {channel[0], POLLIN, 0};
    EXPECT_EQ(poll(&wait, 1, 30'000), 1) << "the child never came to '" << at << "'";
    kill(child, signal);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    close(channel[0]);
    return status;
  }

 private:
  [[noreturn]] void RunChild(int channel, std::string_view at) {
    options_.cell_time = absl::Minutes(10);  // the signal ends it, not the time
    const os::StopOnSignal stop;
    const auto result = MeasureStorage(
        options_,
        [&](std::string_view step) {
          if (step.starts_with(at)) write(channel, "x", 1);
        },
        stop.token());
    _exit(result.status().code() == StatusCode::kCancelled ? 42 : 1);
  }
};

TEST_P(SignalTest, EndsInOrderAndLeavesNothing) {
  const int status = KillAt("sequential write", GetParam());
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_THAT(Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Signals, SignalTest, testing::Values(SIGINT, SIGTERM));

using KillTest = SignalTest;

TEST_P(KillTest, WhatAKillLeavesIsSmallAndGoesAtTheNextStart) {
  const int status = KillAt("sequential write", GetParam());
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(Names().size(), 1U);
  // The data file had no name: only the marker and the lock are there.
  EXPECT_THAT(*os::RealFileSystem().List(parent_->path() + "/" + Names()[0]),
              testing::ElementsAre("about.txt", "owner.lock"));
  const auto next = MeasureStorage(options_, {}, {});
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_THAT(next->notes, testing::Contains(HasSubstr("left by a measurement that was killed")));
  EXPECT_THAT(Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Kill, KillTest, testing::Values(SIGKILL));

// A file system of 48 MiB cannot hold 16 MiB and keep 64 MiB free.
TEST_F(MeasureStorageTest, ASmallFileSystemIsNotFilled) {
  const std::string mount_point = parent_->path() + "/small";
  std::filesystem::create_directory(mount_point);
  if (mount("tmpfs", mount_point.c_str(), "tmpfs", 0, "size=48m") != 0) GTEST_SKIP() << "mounting needs root";
  options_.path = mount_point;
  const auto result = MeasureStorage(options_, {}, {});
  const auto names = os::RealFileSystem().List(mount_point);
  umount2(mount_point.c_str(), MNT_DETACH);
  EXPECT_EQ(result.status().code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(*names, IsEmpty());
}

TEST_F(MeasureStorageTest, AReadOnlyFileSystemIsRefused) {
  const std::string mount_point = parent_->path() + "/readonly";
  std::filesystem::create_directory(mount_point);
  if (mount("tmpfs", mount_point.c_str(), "tmpfs", MS_RDONLY, "size=1g") != 0) GTEST_SKIP() << "mounting needs root";
  options_.path = mount_point;
  const auto result = MeasureStorage(options_, {}, {});
  umount2(mount_point.c_str(), MNT_DETACH);
  EXPECT_EQ(result.status().code(), StatusCode::kPermissionDenied) << result.status();
}

}  // namespace
}  // namespace ashlar::bench
