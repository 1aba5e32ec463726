#include "os/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/filesystem.h"

namespace ashlar::os {
namespace {

TEST(ListDirectoryTest, SaysWhatCannotBeListed) {
  const auto missing = ListDirectory("/no/such/folder");
  EXPECT_EQ(missing.status().code(), base::StatusCode::kNotFound);
  EXPECT_THAT(base::Message(missing.status()), ::testing::HasSubstr("/no/such/folder"));
  EXPECT_EQ(ListDirectory("/proc/version").status().code(), base::StatusCode::kInvalidArgument);
}

TEST(ListDirectoryTest, SortsByBytesAndKeepsHiddenNames) {
  const auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_THAT(*ListDirectory(folder->path().c_str()), ::testing::IsEmpty());
  for (const char* name : {"b", "a10", "a9", ".hidden", "Z"}) {
    ASSERT_TRUE(RealFileSystem().CreateDirectories(folder->path() + "/" + name).ok());
  }
  EXPECT_THAT(*ListDirectory(folder->path().c_str()), ::testing::ElementsAre(".hidden", "Z", "a10", "a9", "b"));
}

}  // namespace
}  // namespace ashlar::os
