#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "os/filesystem.h"
#include "os/test_filesystem_testing.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using Call = TestFileSystem::Call;
using ::testing::ElementsAre;

constexpr base::Bytes kPlenty{64 * base::kMiB};
constexpr char kPath[] = "/data/file";

// Texts of several sectors that differ in every byte, so that any mixture shows.
const std::string& OldBytes() {
  static const std::string bytes(3000, 'o');
  return bytes;
}
const std::string& NewBytes() {
  static const std::string bytes(4100, 'n');
  return bytes;
}

void Prepare(TestFileSystem& files) {
  ASSERT_TRUE(files.CreateDirectories("/data").ok());
  ASSERT_TRUE(WriteFileDurably(files, kPath, OldBytes()).ok());
}

TEST(WriteFileDurablyTest, IsOldOrNewAtEveryCrashPoint) {
  TestFileSystem counted(0);
  Prepare(counted);
  const uint64_t before = counted.operations();
  ASSERT_TRUE(WriteFileDurably(counted, kPath, NewBytes()).ok());
  const uint64_t points = counted.operations() - before;
  ASSERT_EQ(points, 5U) << "create, write, fsync, rename, fsync of the directory";
  int old_seen = 0;
  int new_seen = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    for (uint64_t point = 1; point <= points; ++point) {
      TestFileSystem files(seed);
      Prepare(files);
      files.CrashAtOperation(point);
      EXPECT_EQ(WriteFileDurably(files, kPath, NewBytes()).code(), StatusCode::kAborted);
      files.Restart();
      const auto bytes = ReadWholeFile(files, kPath, kPlenty);
      ASSERT_TRUE(bytes.ok()) << "seed " << seed << ", crash in operation " << point << ": " << bytes.status();
      const bool is_old = *bytes == OldBytes();
      ASSERT_TRUE(is_old || *bytes == NewBytes()) << "seed " << seed << ", crash in operation " << point;
      ++(is_old ? old_seen : new_seen);
    }
  }
  // Before the rename (3 of 5 points) it is always the old one; after it either may be.
  EXPECT_GE(old_seen, 6000);
  EXPECT_GT(new_seen, 1000);
}

TEST(WriteFileDurablyTest, IsNewAfterOk) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    TestFileSystem files(seed);
    Prepare(files);
    ASSERT_TRUE(WriteFileDurably(files, kPath, NewBytes()).ok());
    files.Crash();
    files.Restart();
    const auto bytes = ReadWholeFile(files, kPath, kPlenty);
    ASSERT_TRUE(bytes.ok()) << "seed " << seed << ": " << bytes.status();
    ASSERT_TRUE(*bytes == NewBytes()) << "seed " << seed;
    EXPECT_THAT(*files.List("/data"), ElementsAre("file")) << "seed " << seed;
  }
}

TEST(WriteFileDurablyTest, AFailureLeavesTheOldFileAndNothingElse) {
  struct Row {
    std::string name;
    Call call;
    int error_number;
    StatusCode code;
  };
  const Row rows[] = {
      {"no descriptor left", Call::kOpen, EMFILE, StatusCode::kResourceExhausted},
      {"disk full", Call::kAppend, ENOSPC, StatusCode::kResourceExhausted},
      {"write error", Call::kAppend, EIO, StatusCode::kInternal},
      {"fsync error", Call::kSync, EIO, StatusCode::kInternal},
      {"read-only", Call::kRename, EROFS, StatusCode::kPermissionDenied},
  };
  for (const Row& row : rows) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      TestFileSystem files(seed);
      Prepare(files);
      files.FailCall(row.call, row.error_number);
      EXPECT_EQ(WriteFileDurably(files, kPath, NewBytes()).code(), row.code) << row.name;
      EXPECT_THAT(*files.List("/data"), ElementsAre("file")) << row.name;
      files.Crash();
      files.Restart();
      EXPECT_TRUE(*ReadWholeFile(files, kPath, kPlenty) == OldBytes()) << row.name << ", seed " << seed;
    }
  }
}

TEST(WriteFileDurablyTest, AFailedFsyncOfTheDirectoryIsAnError) {
  TestFileSystem files(1);
  Prepare(files);
  files.FailCall(Call::kSyncDirectory, EIO);
  EXPECT_EQ(WriteFileDurably(files, kPath, NewBytes()).code(), StatusCode::kInternal);
  EXPECT_TRUE(*ReadWholeFile(files, kPath, kPlenty) == NewBytes()) << "seen, but nobody may rely on it";
}

TEST(WriteFileDurablyTest, AFullDiskKeepsTheOldFileAtEveryRoom) {
  for (const uint64_t room : {uint64_t{0}, uint64_t{1}, uint64_t{512}, NewBytes().size() - 1, NewBytes().size()}) {
    TestFileSystem files(room);
    Prepare(files);
    files.LimitSpace(base::Bytes{room});
    const bool fits = room >= NewBytes().size();
    EXPECT_EQ(WriteFileDurably(files, kPath, NewBytes()).code(),
              fits ? StatusCode::kOk : StatusCode::kResourceExhausted);
    EXPECT_TRUE(*ReadWholeFile(files, kPath, kPlenty) == (fits ? NewBytes() : OldBytes())) << room;
  }
}

TEST(WriteFileDurablyTest, RefusesWhatNamesNoFile) {
  TestFileSystem files(1);
  for (const std::string path : {"", "/", "/data/", ".", "/data/.."}) {
    EXPECT_EQ(WriteFileDurably(files, path, "x").code(), StatusCode::kInvalidArgument) << path;
  }
  EXPECT_EQ(WriteFileDurably(files, "/absent/file", "x").code(), StatusCode::kNotFound);
}

TEST(WriteFileDurablyTest, ASecretIsForItsOwnerFromTheBeginning) {
  TestFileSystem files(1);
  ASSERT_TRUE(WriteFileDurably(files, "/key", "k", {.secret = true}).ok());
  ASSERT_TRUE(WriteFileDurably(files, "/note", "n").ok());
  EXPECT_EQ(files.Stat("/key")->mode, mode_t{0600});
  EXPECT_EQ(files.Stat("/note")->mode, mode_t{0644});
}

TEST(ReadWholeFileTest, ReadsUpToTheLimitAndNoFurther) {
  TestFileSystem files(1);
  // 262,144 is one chunk of the reader: the end of the file must be found there too.
  for (const size_t size : {size_t{0}, size_t{1}, size_t{262'144}, size_t{262'145}}) {
    const std::string bytes(size, 'x');
    ASSERT_TRUE(WriteFileDurably(files, "/file", bytes).ok());
    EXPECT_TRUE(*ReadWholeFile(files, "/file", base::Bytes{size}) == bytes);
    if (size > 0) {
      EXPECT_EQ(ReadWholeFile(files, "/file", base::Bytes{size - 1}).status().code(), StatusCode::kResourceExhausted);
    }
  }
  EXPECT_EQ(ReadWholeFile(files, "/absent", kPlenty).status().code(), StatusCode::kNotFound);
  files.FailCall(Call::kReadAt, EIO);
  EXPECT_EQ(ReadWholeFile(files, "/file", kPlenty).status().code(), StatusCode::kInternal);
}

}  // namespace
}  // namespace ashlar::os
