#include "service/state_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ashlar::service {
namespace {

TEST(StateFolderTest, MakesTheFolderAndHoldsIt) {
  const auto parent = os::TemporaryDirectory::Create();
  ASSERT_TRUE(parent.ok());
  const std::string path = parent->path() + "/a/b";
  const auto folder = StateFolder::Open(path);
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(folder->report_path(), path + "/report.html");
  EXPECT_TRUE(os::RealFileSystem().Stat(path).value().is_directory);
}

TEST(StateFolderTest, SecondInstanceIsRefusedWithTheOwnerAndWhatToDo) {
  const auto parent = os::TemporaryDirectory::Create();
  const auto first = StateFolder::Open(parent->path());
  ASSERT_TRUE(first.ok());
  const auto second = StateFolder::Open(parent->path());
  ASSERT_EQ(second.status().code(), base::StatusCode::kAlreadyExists);
  const std::string message(base::Message(second.status()));
  EXPECT_NE(message.find(std::to_string(getpid())), std::string::npos) << message;
  EXPECT_NE(message.find("--data DIR"), std::string::npos);
}

TEST(StateFolderTest, IsFreeAgainAfterTheFirst) {
  const auto parent = os::TemporaryDirectory::Create();
  { ASSERT_TRUE(StateFolder::Open(parent->path()).ok()); }
  EXPECT_TRUE(StateFolder::Open(parent->path()).ok());
}

TEST(StateFolderTest, FileInTheWayIsNamed) {
  const auto parent = os::TemporaryDirectory::Create();
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), parent->path() + "/file", "x").ok());
  const auto folder = StateFolder::Open(parent->path() + "/file/inside");
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(base::Message(folder.status()).find("--data DIR"), std::string_view::npos);
}

}  // namespace
}  // namespace ashlar::service
