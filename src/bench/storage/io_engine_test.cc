#include "bench/storage/io_engine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "bench/storage/syscall_fault_testing.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using base::Bytes;
using base::StatusCode;
using testing::HasSubstr;

constexpr uint64_t kFileBytes = 64 * 4096;

class IoEngineTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "threads") {
      engine_ = MakeThreadEngine();
    } else {
      auto uring = MakeUringEngine();
      if (!uring.ok()) GTEST_SKIP() << "io_uring is refused here: " << uring.status();
      engine_ = *std::move(uring);
    }
    auto made = os::TemporaryDirectory::Create();
    ASSERT_TRUE(made.ok());
    folder_.emplace(*std::move(made));
    path_ = folder_->path() + "/file";
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ASSERT_GE(descriptor_, 0);
    const std::string zeros(kFileBytes, '\0');
    ASSERT_EQ(pwrite(descriptor_, zeros.data(), zeros.size(), 0), static_cast<ssize_t>(zeros.size()));
  }
  void TearDown() override {
    if (descriptor_ >= 0) close(descriptor_);
  }
  CellRequest Request(AccessPattern pattern, IoOperation operation, uint64_t block, int depth) const {
    CellRequest request;
    request.descriptor = descriptor_;
    request.file_size = Bytes{kFileBytes};
    request.cell = {pattern, operation, Bytes{block}, depth};
    request.ramp = absl::Milliseconds(5);
    request.window = absl::Milliseconds(30);
    return request;
  }

  std::unique_ptr<IoEngine> engine_;
  std::optional<os::TemporaryDirectory> folder_;
  std::string path_;
  int descriptor_ = -1;
};

TEST_P(IoEngineTest, ABadDescriptorIsAnErrorWithTheCell) {
  CellRequest request = Request(AccessPattern::kRandom, IoOperation::kRead, 4096, 4);
  request.descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(request.descriptor, 0);
  const auto outcome = engine_->Run(request);
  close(request.descriptor);
  ASSERT_FALSE(outcome.ok());  // reading what is open for writing only: EBADF
  EXPECT_THAT(std::string(base::Message(outcome.status())), HasSubstr("random read 4 KiB depth 4 at byte"));
}

TEST_P(IoEngineTest, AFileThatWasCutIsDataLoss) {
  ASSERT_EQ(ftruncate(descriptor_, 100), 0);
  const auto outcome = engine_->Run(Request(AccessPattern::kSequential, IoOperation::kRead, 4096, 2));
  EXPECT_EQ(outcome.status().code(), StatusCode::kDataLoss);
}

TEST_P(IoEngineTest, AStopRequestEndsIt) {
  std::stop_source stop;
  stop.request_stop();
  CellRequest request = Request(AccessPattern::kSequential, IoOperation::kRead, 4096, 8);
  request.window = absl::Hours(1);
  request.stop = stop.get_token();
  EXPECT_EQ(engine_->Run(request).status().code(), StatusCode::kCancelled);
}

struct Shape {
  AccessPattern pattern;
  IoOperation operation;
  uint64_t block;
  int depth;
};

TEST_P(IoEngineTest, CountsAndTimesEveryShape) {
  for (const Shape& shape : {Shape{AccessPattern::kSequential, IoOperation::kRead, 4096, 1},
                             Shape{AccessPattern::kSequential, IoOperation::kWrite, 8192, 8},
                             Shape{AccessPattern::kRandom, IoOperation::kRead, 512, 33},
                             Shape{AccessPattern::kRandom, IoOperation::kWrite, 65536, 4}}) {
    const CellRequest request = Request(shape.pattern, shape.operation, shape.block, shape.depth);
    SCOPED_TRACE(CellName(request.cell));
    const auto outcome = engine_->Run(request);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_GE(outcome->operations, 1U);
    EXPECT_EQ(outcome->latency.count(), outcome->operations);
    EXPECT_GE(outcome->elapsed, request.window - absl::Microseconds(1));  // a rounded quotient
    EXPECT_GT(outcome->latency.Min(), absl::ZeroDuration());
    // With `depth` in flight, Little's law: operations * mean latency is at most depth * (window + one latency).
    EXPECT_LE(absl::ToDoubleSeconds(outcome->latency.Mean()) * static_cast<double>(outcome->operations),
              shape.depth * absl::ToDoubleSeconds(outcome->elapsed + outcome->latency.Max()) * 1.01);
  }
}

TEST_P(IoEngineTest, WritesStayInTheFileAndReachEveryBlock) {
  CellRequest request = Request(AccessPattern::kSequential, IoOperation::kWrite, 4096, 4);
  request.window = absl::Milliseconds(200);
  ASSERT_TRUE(engine_->Run(request).ok());
  std::string bytes(kFileBytes + 1, '\0');
  // One byte more is asked for, none more comes: the file has not grown.
  ASSERT_EQ(pread(descriptor_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(kFileBytes));
  for (uint64_t at = 0; at < kFileBytes; at += 4096) {
    EXPECT_NE(bytes.substr(at, 4096), std::string(4096, '\0')) << at;
  }
}

TEST_P(IoEngineTest, ReadsLeaveTheFileAlone) {
  ASSERT_TRUE(engine_->Run(Request(AccessPattern::kRandom, IoOperation::kRead, 4096, 4)).ok());
  std::string bytes(kFileBytes, 'x');
  ASSERT_EQ(pread(descriptor_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(kFileBytes));
  EXPECT_EQ(bytes, std::string(kFileBytes, '\0'));
}

INSTANTIATE_TEST_SUITE_P(Engines, IoEngineTest, testing::Values("io_uring", "threads"),
                         [](const auto& row) { return row.param; });

TEST(OperationStatusTest, NamesCellOffsetAndError) {
  const StorageCell cell{AccessPattern::kRandom, IoOperation::kWrite, Bytes{4096}, 8};
  EXPECT_TRUE(OperationStatus(cell, 0, 4096).ok());
  EXPECT_EQ(OperationStatus(cell, 0, 512).code(), StatusCode::kDataLoss);
  const base::Status full = OperationStatus(cell, 8192, -ENOSPC);
  EXPECT_EQ(full.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(base::Message(full), "random write 4 KiB depth 8 at byte 8192: No space left on device");
}

struct RefusalCase {
  std::string name;
  int error;
};

class ChooseEngineTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(ChooseEngineTest, ARefusedRingGivesThreadsAndTheReason) {
  const auto answer = RunWithFaults({{.number = SYS_io_uring_setup, .error = GetParam().error}}, [] {
    const ChosenEngine chosen = ChooseEngine();
    return fmt::format("{}: {}", chosen.engine->name(), chosen.reason);
  });
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr("threads: io_uring is refused ("));
}

INSTANTIATE_TEST_SUITE_P(Errors, ChooseEngineTest,
                         testing::Values(RefusalCase{"Policy", EPERM}, RefusalCase{"OldKernel", ENOSYS},
                                         RefusalCase{"Memory", ENOMEM}),
                         [](const auto& row) { return row.param.name; });

TEST(ChooseEngineTest, UnregisteredBuffersAndFilesDoAsWell) {
  const auto answer = RunWithFaults({{.number = SYS_io_uring_register, .error = ENOMEM}}, []() -> std::string {
    const ChosenEngine chosen = ChooseEngine();
    if (chosen.engine->name() != "io_uring") return "no io_uring here";
    CellRequest request;
    request.descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    request.file_size = Bytes{65536};
    request.cell = {AccessPattern::kRandom, IoOperation::kRead, Bytes{4096}, 4};
    request.window = absl::Milliseconds(20);
    const auto outcome = chosen.engine->Run(request);
    return outcome.ok() ? "measured" : std::string(base::Message(outcome.status()));
  });
  if (answer.status().code() == StatusCode::kUnimplemented) GTEST_SKIP() << answer.status();
  ASSERT_TRUE(answer.ok()) << answer.status();
  if (*answer == "no io_uring here") GTEST_SKIP() << *answer;
  EXPECT_EQ(*answer, "measured");
}

}  // namespace
}  // namespace ashlar::bench
