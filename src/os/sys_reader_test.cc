#include "os/sys_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/filesystem.h"
#include "os/limits.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SysReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok()) << folder.status();
    folder_ = std::make_unique<TemporaryDirectory>(*std::move(folder));
    root_ = folder_->path() + "/root";
    ASSERT_TRUE(RealFileSystem().CreateDirectories(root_ + "/proc").ok());
  }

  void Put(const std::string& path, std::string_view text) {
    ASSERT_TRUE(WriteFileDurably(RealFileSystem(), root_ + path, text).ok());
  }

  SysReader reader() const { return SysReader(root_); }

  std::unique_ptr<TemporaryDirectory> folder_;
  std::string root_;
};

TEST_F(SysReaderTest, RefusesPathsThatCouldLeaveTheRoot) {
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), folder_->path() + "/secret", "no").ok());
  for (const std::string path : {"/../secret", "/proc/../../secret", "/proc/..", "..", "proc/meminfo", ""}) {
    EXPECT_EQ(reader().Read(path).status().code(), StatusCode::kInvalidArgument) << path;
    EXPECT_EQ(reader().List(path).status().code(), StatusCode::kInvalidArgument) << path;
    EXPECT_EQ(reader().ReadLink(path).status().code(), StatusCode::kInvalidArgument) << path;
    EXPECT_FALSE(reader().Exists(path)) << path;
  }
  // The zero byte would cut the path short of what was checked.
  EXPECT_EQ(reader().Read(std::string_view("/proc\0/x", 8)).status().code(), StatusCode::kInvalidArgument);
  Put("/proc/..name", "dots in a name are no step up");
  EXPECT_TRUE(reader().Read("/proc/..name").ok());
}

TEST_F(SysReaderTest, RefusesAPathOverTheLimit) {
  const size_t room = kPathLimit - 1 - root_.size();
  EXPECT_EQ(reader().Read(std::string(room + 1, '/')).status().code(), StatusCode::kInvalidArgument);
  // At the limit the kernel is asked: many slashes name the root, which is a directory.
  EXPECT_THAT(base::Message(reader().Read(std::string(room, '/')).status()), HasSubstr("Is a directory"));
}

TEST_F(SysReaderTest, SaysWhichFileCouldNotBeRead) {
  const auto missing = reader().Read("/proc/absent");
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(base::Message(missing.status()), HasSubstr("/proc/absent"));
  EXPECT_EQ(reader().Read("/proc").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader().List("/absent").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(reader().ReadLink("/proc").status().code(), StatusCode::kInvalidArgument);
}

TEST_F(SysReaderTest, ReadsUpToTheLimitAndNoFurther) {
  Put("/proc/at", std::string(kSysReadLimit.count, 'a'));
  Put("/proc/over", std::string(kSysReadLimit.count + 1, 'a'));
  ASSERT_TRUE(reader().Read("/proc/at").ok());
  EXPECT_EQ(reader().Read("/proc/at")->size(), kSysReadLimit.count);
  EXPECT_EQ(reader().Read("/proc/over").status().code(), StatusCode::kResourceExhausted);
  std::string buffer = "old";
  EXPECT_EQ(reader().ReadInto("/proc/over", buffer).code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(buffer, IsEmpty());
  EXPECT_EQ(reader().ReadLimited("/proc/over", kKernelLogLimit)->size(), kSysReadLimit.count + 1);
  EXPECT_EQ(reader().ReadLimited("/proc/at", base::Bytes{9}).status().code(), StatusCode::kResourceExhausted);
}

TEST_F(SysReaderTest, DoesNotWaitForAPipeWithoutWriter) {
  ASSERT_EQ(::mkfifo((root_ + "/proc/fifo").c_str(), 0600), 0);
  // Nobody has it open for writing: the end of the file, at once.
  const auto text = reader().Read("/proc/fifo");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, "");
  const int writer = ::open((root_ + "/proc/fifo").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  EXPECT_EQ(reader().Read("/proc/fifo").status().code(), StatusCode::kUnavailable);
  ::close(writer);
}

TEST_F(SysReaderTest, ReadsWholeNumbersOnly) {
  struct Row {
    std::string text;
    std::optional<int64_t> number;
  };
  const Row rows[] = {
      {"", std::nullopt},
      {"\n", std::nullopt},
      {"12 kB\n", std::nullopt},
      {"0x10\n", std::nullopt},
      {"9223372036854775808\n", std::nullopt},  // 2^63
      {"1.5", std::nullopt},
      {"9223372036854775807\n", INT64_MAX},
      {"-1\n", -1},
      {" 42 \n", 42},
  };
  for (const Row& row : rows) {
    Put("/proc/number", row.text);
    const auto number = reader().ReadInt("/proc/number");
    EXPECT_EQ(number.ok() ? std::optional<int64_t>(*number) : std::nullopt, row.number) << row.text;
    if (!row.number) {
      EXPECT_EQ(number.status().code(), StatusCode::kInvalidArgument);
      EXPECT_THAT(base::Message(number.status()), HasSubstr("/proc/number"));
    }
  }
  EXPECT_EQ(reader().ReadInt("/proc/absent").status().code(), StatusCode::kNotFound);
}

TEST_F(SysReaderTest, ListsSortedAndReadsLinks) {
  Put("/proc/b", " text\n");
  Put("/proc/a", "");
  ASSERT_EQ(::symlink("../../devices/eth0", (root_ + "/proc/link").c_str()), 0);
  EXPECT_THAT(*reader().List("/proc"), ElementsAre("a", "b", "link"));
  EXPECT_EQ(*reader().ReadLink("/proc/link"), "../../devices/eth0");
  EXPECT_EQ(*reader().ReadTrimmed("/proc/b"), "text");
  EXPECT_TRUE(reader().Exists("/proc/a"));
  EXPECT_FALSE(reader().Exists("/proc/link")) << "a dangling link is not there";
}

// A reader of this machine: /proc reports size 0 for everything, and /proc/self/maps takes several reads.
TEST(SysReaderOnThisMachine, ReadsFilesThatReportNoSize) {
  const SysReader reader;
  EXPECT_THAT(*reader.Read("/proc/meminfo"), HasSubstr("MemTotal:"));
  EXPECT_EQ(*reader.ReadInt("/proc/self/stat").status().message().data(), '/');
  EXPECT_THAT(*reader.Read("/proc/self/maps"), HasSubstr("[stack]"));
  EXPECT_EQ(*reader.ReadLink("/proc/self"), std::to_string(::getpid()));
}

TEST(SysReaderOnThisMachine, ASamplersBufferIsNotAllocatedAgain) {
  const SysReader reader;
  std::string buffer;
  ASSERT_TRUE(reader.ReadInto("/proc/stat", buffer).ok());
  const char* place = buffer.data();
  const size_t capacity = buffer.capacity();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(reader.ReadInto(i % 2 == 0 ? "/proc/stat" : "/proc/uptime", buffer).ok());
    ASSERT_EQ(buffer.data(), place);
    ASSERT_EQ(buffer.capacity(), capacity);
  }
  EXPECT_EQ(reader.ReadInto("/proc/absent", buffer).code(), StatusCode::kNotFound);
  EXPECT_EQ(buffer.data(), place);
  EXPECT_THAT(buffer, IsEmpty());
}

}  // namespace
}  // namespace ashlar::os
