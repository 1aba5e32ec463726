#include "os/filesystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "os/limits.h"
#include "os/subprocess.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The rules that both file systems share are tested in test_filesystem_test.cc.
class RealFileSystemTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok()) << folder.status();
    folder_ = std::make_unique<TemporaryDirectory>(*std::move(folder));
  }
  std::string Path(const std::string& name) const { return folder_->path() + "/" + name; }

  std::unique_ptr<TemporaryDirectory> folder_;
};

TEST_F(RealFileSystemTest, AFullDeviceIsNamed) {
  auto file = RealFileSystem().Open("/dev/full", OpenMode::kAppend);
  ASSERT_TRUE(file.ok()) << file.status();
  const base::Status status = (*file)->Append("x");
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(base::Message(status), HasSubstr("/dev/full"));
}

// With a limit of 1000 bytes the kernel takes 1000 of 1500 and reports a short write, then fails with EFBIG.
TEST_F(RealFileSystemTest, AShortWriteIsNoSuccess) {
  const auto answer = RunIsolated(
      [this] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto file = RealFileSystem().Open(Path("file"), OpenMode::kCreateNew);
        return std::string(file.ok() && (*file)->Append(std::string(1500, 'x')).ok() ? "ok" : "error");
      },
      {.deadline = absl::Seconds(120)});
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(*answer, "error");
  EXPECT_EQ(RealFileSystem().Stat(Path("file"))->size_bytes, 1000U);
}

TEST_F(RealFileSystemTest, AFailedSyncStaysFailed) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  // fsync of a pipe is EINVAL: the only failure of fsync that every machine has.
  auto file = RealFileSystem().Open(fmt::format("/proc/self/fd/{}", ends[1]), OpenMode::kAppend);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE((*file)->Append("x").ok());
  EXPECT_EQ((*file)->Sync().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*file)->Append("x").code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*file)->Sync().code(), StatusCode::kInvalidArgument);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(RealFileSystemTest, WritesDurably) {
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), Path("file"), "old").ok());
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), Path("file"), "new", {.secret = true}).ok());
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), Path("file"), base::Bytes{3}), "new");
  EXPECT_EQ(RealFileSystem().Stat(Path("file"))->mode, mode_t{0600});
  ASSERT_EQ(::symlink("file", Path("link").c_str()), 0);
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), Path("link"), "third").ok());
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), Path("file"), base::Bytes{3}), "new") << "the link is replaced";
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), Path("link"), base::Bytes{5}), "third");
}

TEST_F(RealFileSystemTest, WritersAtTheSameTimeLeaveOneOfTheirTexts) {
  const std::string texts[] = {std::string(100'000, 'a'), std::string(70'000, 'b')};
  std::vector<std::jthread> writers;
  for (const std::string& text : texts) {
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(WriteFileDurably(RealFileSystem(), Path("file"), text).ok());
    });
  }
  for (std::jthread& writer : writers) writer.join();
  const auto bytes = ReadWholeFile(RealFileSystem(), Path("file"), base::Bytes{base::kMiB});
  EXPECT_TRUE(*bytes == texts[0] || *bytes == texts[1]);
  EXPECT_THAT(*RealFileSystem().List(folder_->path()), ElementsAre("file"));
}

TEST_F(RealFileSystemTest, SaysWhatIsInTheWayOfADirectory) {
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), Path("file"), "").ok());
  const base::Status status = RealFileSystem().CreateDirectories(Path("file/below"));
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_THAT(base::Message(status), HasSubstr(Path("file")));
  EXPECT_FALSE(RealFileSystem().CreateDirectories("/proc/ashlar").ok());
  EXPECT_TRUE(RealFileSystem().CreateDirectories("/").ok());
}

}  // namespace
}  // namespace ashlar::os
