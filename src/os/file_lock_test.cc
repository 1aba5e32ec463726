#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "os/filesystem.h"
#include "os/subprocess.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FileLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok()) << folder.status();
    folder_ = std::make_unique<TemporaryDirectory>(*std::move(folder));
    path_ = folder_->path() + "/lock";
  }

  std::unique_ptr<TemporaryDirectory> folder_;
  std::string path_;
};

TEST_F(FileLockTest, ASecondOwnerIsToldWhoHoldsIt) {
  const auto lock = FileLock::Acquire(path_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), path_, base::Bytes{100}), fmt::format("{}\n", ::getpid()));
  const auto second = FileLock::Acquire(path_);
  EXPECT_EQ(second.status().code(), StatusCode::kAlreadyExists);
  EXPECT_THAT(base::Message(second.status()), HasSubstr(fmt::format("process {}:", ::getpid())));
  // Another process is refused as well.
  const auto elsewhere =
      RunIsolated([&] { return FileLock::Acquire(path_).status().ToString(); }, {.deadline = absl::Seconds(120)});
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_THAT(*elsewhere, StartsWith("ALREADY_EXISTS"));
}

TEST_F(FileLockTest, IsFreeAfterItsOwnerLetGo) {
  {
    const auto lock = FileLock::Acquire(path_);
    ASSERT_TRUE(lock.ok());
  }
  auto again = FileLock::Acquire(path_);
  ASSERT_TRUE(again.ok()) << again.status();
  FileLock moved = *std::move(again);
  EXPECT_EQ(FileLock::Acquire(path_).status().code(), StatusCode::kAlreadyExists);
  auto other = FileLock::Acquire(path_ + "-other");
  ASSERT_TRUE(other.ok());
  moved = *std::move(other);
  EXPECT_TRUE(FileLock::Acquire(path_).ok()) << "assigning over a lock releases it";
}

TEST_F(FileLockTest, IsFreeAfterItsOwnerWasKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const auto lock = FileLock::Acquire(path_);
    const char answer = lock.ok() ? 'y' : 'n';
    if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  const auto refused = FileLock::Acquire(path_);
  EXPECT_EQ(refused.status().code(), StatusCode::kAlreadyExists);
  EXPECT_THAT(base::Message(refused.status()), HasSubstr(fmt::format("process {}:", owner)));
  ASSERT_EQ(::kill(owner, SIGKILL), 0);
  ASSERT_EQ(::waitpid(owner, nullptr, 0), owner);
  EXPECT_TRUE(FileLock::Acquire(path_).ok());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(FileLockTest, SaysWhatIsWrongWithThePath) {
  EXPECT_EQ(FileLock::Acquire(folder_->path() + "/absent/lock").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(FileLock::Acquire(folder_->path()).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(FileLockTest, ATemporaryDirectoryGoesWithItsContents) {
  const std::string kept = folder_->path() + "/kept";
  ASSERT_TRUE(RealFileSystem().CreateDirectories(kept).ok());
  ASSERT_TRUE(WriteFileDurably(RealFileSystem(), kept + "/file", "stays").ok());
  std::string path;
  {
    auto made = TemporaryDirectory::Create(folder_->path());
    ASSERT_TRUE(made.ok()) << made.status();
    TemporaryDirectory moved = *std::move(made);
    path = moved.path();
    EXPECT_THAT(path, StartsWith(folder_->path() + "/ashlar-"));
    EXPECT_EQ(RealFileSystem().Stat(path)->mode, mode_t{0700});
    ASSERT_TRUE(RealFileSystem().CreateDirectories(path + "/a/b").ok());
    ASSERT_TRUE(WriteFileDurably(RealFileSystem(), path + "/a/b/file", "goes").ok());
    ASSERT_EQ(::symlink(kept.c_str(), (path + "/link").c_str()), 0);
    ASSERT_EQ(::symlink((kept + "/file").c_str(), (path + "/a/link").c_str()), 0);
  }
  EXPECT_EQ(RealFileSystem().Stat(path).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(*ReadWholeFile(RealFileSystem(), kept + "/file", base::Bytes{100}), "stays") << "links are not followed";
}

TEST_F(FileLockTest, TemporaryDirectoriesNeedAParent) {
  EXPECT_EQ(TemporaryDirectory::Create("/no/such/parent").status().code(), StatusCode::kNotFound);
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder_->path().c_str(), 1);
  const auto made = TemporaryDirectory::Create();
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_THAT(made->path(), StartsWith(folder_->path()));
}

}  // namespace
}  // namespace ashlar::os
