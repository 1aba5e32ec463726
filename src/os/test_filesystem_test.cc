#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "os/test_filesystem_testing.h"

namespace ashlar::os {
namespace {

using base::StatusCode;
using Call = TestFileSystem::Call;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Bytes kPlenty{base::kMiB};

std::string Read(TestFileSystem& files, const std::string& path) {
  const auto bytes = ReadWholeFile(files, path, kPlenty);
  return bytes.ok() ? *bytes : base::MapStatus(bytes.status().code()).label;
}

// What a file of 'a' (synced, 1024 bytes) and 'b' (appended, not synced, 1024 bytes) can be after a crash.
std::set<std::string> Outcomes(bool sync) {
  std::set<std::string> outcomes;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    TestFileSystem files(seed);
    auto file = files.Open("/file", OpenMode::kCreateNew, false);
    EXPECT_TRUE((*file)->Append(std::string(1024, 'a')).ok());
    EXPECT_TRUE((*file)->Sync().ok());
    EXPECT_TRUE(files.SyncDirectory("/").ok());
    EXPECT_TRUE((*file)->Append(std::string(1024, 'b')).ok());
    if (sync) {
      EXPECT_TRUE((*file)->Sync().ok());
    }
    files.Crash();
    files.Restart();
    outcomes.insert(Read(files, "/file"));
  }
  return outcomes;
}

TEST(TestFileSystemTest, SyncedBytesSurvive) {
  EXPECT_THAT(Outcomes(true), ElementsAre(std::string(1024, 'a') + std::string(1024, 'b')));
}

TEST(TestFileSystemTest, BytesThatWereNotSyncedAreLostOrTorn) {
  const std::set<std::string> outcomes = Outcomes(false);
  const std::string kept(1024, 'a');
  const std::string sector(512, 'b');
  const std::string hole(512, '\0');
  EXPECT_TRUE(outcomes.contains(kept)) << "all lost";
  EXPECT_TRUE(outcomes.contains(kept + sector + sector)) << "all kept";
  EXPECT_TRUE(outcomes.contains(kept + sector)) << "a prefix";
  EXPECT_TRUE(outcomes.contains(kept + hole + sector)) << "the second sector alone";
  EXPECT_TRUE(outcomes.contains(kept + hole + hole)) << "the length alone";
  EXPECT_GT(outcomes.size(), 20U) << "cut anywhere";
  for (const std::string& outcome : outcomes) EXPECT_TRUE(outcome.starts_with(kept)) << "synced bytes never change";
}

TEST(TestFileSystemTest, NamesThatWereNotSyncedMayBeLost) {
  std::set<std::string> outcomes;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    TestFileSystem files(seed);
    ASSERT_TRUE(WriteFileDurably(files, "/a", "a").ok());
    ASSERT_TRUE(WriteFileDurably(files, "/gone", "g").ok());
    ASSERT_TRUE(files.Rename("/a", "/b").ok());
    ASSERT_TRUE(files.Remove("/gone").ok());
    auto file = files.Open("/new", OpenMode::kCreateNew, false);
    ASSERT_TRUE((*file)->Sync().ok());
    files.Crash();
    files.Restart();
    const auto names = *files.List("/");
    outcomes.insert(base::Join(names, " "));
  }
  // Each of three changes is kept or lost; a rename never leaves both names or none.
  EXPECT_THAT(outcomes, ElementsAre("a", "a gone", "a gone new", "a new", "b", "b gone", "b gone new", "b new"));
}

TEST(TestFileSystemTest, SyncedNamesSurvive) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    TestFileSystem files(seed);
    ASSERT_TRUE(files.CreateDirectories("/x/y").ok());
    ASSERT_TRUE(WriteFileDurably(files, "/x/y/a", "a").ok());
    ASSERT_TRUE(files.Rename("/x/y/a", "/x/b").ok());
    ASSERT_TRUE(files.SyncDirectory("/x/y").ok());
    ASSERT_TRUE(files.SyncDirectory("/x").ok());
    files.Crash();
    files.Restart();
    EXPECT_EQ(Read(files, "/x/b"), "a");
    EXPECT_THAT(*files.List("/x/y"), IsEmpty());
  }
}

TEST(TestFileSystemTest, AFailedSyncLosesTheDataForGood) {
  bool lost = false;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    TestFileSystem files(seed);
    ASSERT_TRUE(WriteFileDurably(files, "/file", "").ok());
    auto file = files.Open("/file", OpenMode::kAppend, false);
    ASSERT_TRUE((*file)->Append("data").ok());
    files.FailCall(Call::kSync, EIO);
    EXPECT_EQ((*file)->Sync().code(), StatusCode::kInternal);
    EXPECT_EQ((*file)->Sync().code(), StatusCode::kInternal) << "the handle stays failed";
    EXPECT_EQ((*file)->Append("more").code(), StatusCode::kInternal);
    EXPECT_EQ(Read(files, "/file"), "data") << "still in the page cache";
    auto other = files.Open("/file", OpenMode::kAppend, false);
    EXPECT_TRUE((*other)->Sync().ok()) << "and the kernel calls it clean";
    files.Crash();
    files.Restart();
    lost = lost || Read(files, "/file") != "data";
  }
  EXPECT_TRUE(lost);
}

// The two mistakes that this file system is here to find.
TEST(TestFileSystemTest, FindsAWriterThatForgetsToSync) {
  struct Row {
    bool syncs_file;
    bool syncs_folder;
    bool finds_fault;
  };
  for (const Row& row : {Row{true, true, false}, Row{false, true, true}, Row{true, false, true}}) {
    bool fault = false;
    for (uint64_t seed = 0; seed < 50; ++seed) {
      TestFileSystem files(seed);
      auto file = files.Open("/new", OpenMode::kCreateNew, false);
      ASSERT_TRUE((*file)->Append(std::string(2000, 'n')).ok());
      if (row.syncs_file) {
        ASSERT_TRUE((*file)->Sync().ok());
      }
      ASSERT_TRUE(files.Rename("/new", "/file").ok());
      if (row.syncs_folder) {
        ASSERT_TRUE(files.SyncDirectory("/").ok());
      }
      files.Crash();
      files.Restart();
      fault = fault || Read(files, "/file") != std::string(2000, 'n');
    }
    EXPECT_EQ(fault, row.finds_fault) << row.syncs_file << row.syncs_folder;
  }
}

TEST(TestFileSystemTest, EveryCallCanFail) {
  TestFileSystem files(1);
  ASSERT_TRUE(WriteFileDurably(files, "/file", "x").ok());
  auto file = files.Open("/file", OpenMode::kAppend, false);
  const std::vector<std::pair<Call, std::function<base::Status()>>> calls = {
      {Call::kOpen, [&] { return files.Open("/file", OpenMode::kRead, false).status(); }},
      {Call::kAppend, [&] { return (*file)->Append("y"); }},
      {Call::kReadAt, [&] { return (*file)->ReadAt(0, 1).status(); }},
      {Call::kRename, [&] { return files.Rename("/file", "/other"); }},
      {Call::kRemove, [&] { return files.Remove("/file"); }},
      {Call::kCreateDirectories, [&] { return files.CreateDirectories("/folder"); }},
      {Call::kSyncDirectory, [&] { return files.SyncDirectory("/"); }},
      {Call::kStat, [&] { return files.Stat("/file").status(); }},
      {Call::kList, [&] { return files.List("/").status(); }},
      {Call::kSync, [&] { return (*file)->Sync(); }},
  };
  for (const auto& [call, make] : calls) {
    files.FailCall(call, EACCES);
    EXPECT_EQ(make().code(), StatusCode::kPermissionDenied) << static_cast<int>(call);
  }
  EXPECT_THAT(*files.List("/"), ElementsAre("file")) << "failed name changes have no effect";
  files.FailCall(Call::kStat, EIO, 1);
  EXPECT_TRUE(files.Stat("/file").ok());
  EXPECT_FALSE(files.Stat("/file").ok());
  EXPECT_TRUE(files.Stat("/file").ok());
}

TEST(TestFileSystemTest, NothingWorksWithoutPower) {
  TestFileSystem files(1);
  ASSERT_TRUE(WriteFileDurably(files, "/file", "x").ok());
  auto file = files.Open("/file", OpenMode::kAppend, false);
  files.Crash();
  EXPECT_TRUE(files.crashed());
  EXPECT_EQ((*file)->Append("y").code(), StatusCode::kAborted);
  EXPECT_EQ((*file)->ReadAt(0, 1).status().code(), StatusCode::kAborted);
  EXPECT_EQ(files.List("/").status().code(), StatusCode::kAborted);
  files.Restart();
  EXPECT_FALSE(files.crashed());
  EXPECT_EQ((*file)->Sync().code(), StatusCode::kAborted) << "a handle from before";
  EXPECT_EQ(Read(files, "/file"), "x");
}

TEST(TestFileSystemTest, TheSameSeedGivesTheSameOutcome) {
  const auto run = [](uint64_t seed) {
    TestFileSystem files(seed);
    auto file = files.Open("/file", OpenMode::kCreateNew, false);
    EXPECT_TRUE(files.SyncDirectory("/").ok());
    EXPECT_TRUE((*file)->Append(std::string(5000, 'x')).ok());
    files.Crash();
    files.Restart();
    return Read(files, "/file");
  };
  for (uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(run(seed), run(seed));
}

// The rules of POSIX that code may trip over: the same table runs against this machine's file system.
TEST(TestFileSystemTest, RefusesWhatTheMachineRefuses) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  TestFileSystem fake(1);
  const std::pair<FileSystem*, std::string> sides[] = {{&fake, "/t"}, {&RealFileSystem(), folder->path() + "/t"}};
  for (const auto& [files, top] : sides) {
    ASSERT_TRUE(files->CreateDirectories(top + "/d/e/").ok());
    ASSERT_TRUE(files->CreateDirectories(top + "/d").ok());
    ASSERT_TRUE(WriteFileDurably(*files, top + "/f", "text").ok());
    EXPECT_EQ(files->Open(top + "/f", OpenMode::kCreateNew).status().code(), StatusCode::kAlreadyExists);
    EXPECT_EQ(files->Open(top + "/g", OpenMode::kRead).status().code(), StatusCode::kNotFound);
    EXPECT_EQ(files->Open(top + "/d", OpenMode::kAppend).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(files->Open(top + "/f/g", OpenMode::kRead).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(files->Rename(top + "/g", top + "/h").code(), StatusCode::kNotFound);
    EXPECT_EQ(files->Rename(top + "/f", top + "/d").code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(files->Rename(top + "/f", top + "/f").code(), StatusCode::kOk);
    EXPECT_EQ(files->Remove(top + "/g").code(), StatusCode::kNotFound);
    EXPECT_FALSE(files->Remove(top + "/d").ok()) << "it is not empty";
    EXPECT_EQ(files->CreateDirectories(top + "/f").code(), StatusCode::kAlreadyExists);
    EXPECT_EQ(files->SyncDirectory(top + "/g").code(), StatusCode::kNotFound);
    EXPECT_EQ(files->List(top + "/g").status().code(), StatusCode::kNotFound);
    EXPECT_EQ(files->List(top + "/f").status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(files->Stat(top + "/g").status().code(), StatusCode::kNotFound);
    EXPECT_THAT(*files->List(top), ElementsAre("d", "f"));
    EXPECT_EQ(files->Stat(top + "/f")->size_bytes, 4U);
    EXPECT_TRUE(files->Stat(top + "/f")->is_regular);
    EXPECT_TRUE(files->Stat(top + "/d")->is_directory);
    auto file = files->Open(top + "/f", OpenMode::kAppend);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Append("more").ok());
    EXPECT_EQ(*(*file)->ReadAt(2, 100), "xtmore");
    EXPECT_EQ(*(*file)->ReadAt(100, 1), "");
    auto emptied = files->Open(top + "/f", OpenMode::kTruncate);
    ASSERT_TRUE(emptied.ok());
    EXPECT_EQ(files->Stat(top + "/f")->size_bytes, 0U);
    auto reader = files->Open(top + "/f", OpenMode::kRead);
    EXPECT_FALSE((*reader)->Append("x").ok());
    EXPECT_TRUE(files->Remove(top + "/d/e").ok());
    EXPECT_TRUE(files->Remove(top + "/d").ok());
    EXPECT_TRUE(files->Remove(top + "/f").ok());
    EXPECT_THAT(*files->List(top), IsEmpty());
  }
}

}  // namespace
}  // namespace ashlar::os
