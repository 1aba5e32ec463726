#include "ledger/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>
#include <thread>

#include "ledger/limits.h"
#include "os/os.h"

namespace ashlar::ledger {
namespace {

using base::StatusCode;

class KeyFileTest : public testing::Test {
 protected:
  void Write(std::string_view bytes, mode_t mode) const {
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path_, bytes, {.secret = true}).ok());
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
  }

  os::TemporaryDirectory folder_ = *os::TemporaryDirectory::Create();
  std::string path_ = folder_.path() + "/below/ledger.key";
};

TEST_F(KeyFileTest, MissingKeyIsMadeOnceAndPrivate) {
  EXPECT_EQ(LoadSigningKey(path_).status().code(), StatusCode::kNotFound);
  const auto made = LoadOrMakeSigningKey(path_);
  ASSERT_TRUE(made.ok()) << made.status();
  struct stat stat = {};
  ASSERT_EQ(::stat(path_.c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 0777U, 0600U);
  const auto again = LoadOrMakeSigningKey(path_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->public_key(), made->public_key());
  EXPECT_EQ(os::RealFileSystem().List(folder_.path() + "/below")->size(), 1U) << "no temporary file is left";
}

TEST_F(KeyFileTest, ManyMakersAgree) {
  std::vector<std::string> keys(8);
  std::vector<std::jthread> makers;
  for (std::string& key : keys) {
    makers.emplace_back([this, &key] {
      const auto made = LoadOrMakeSigningKey(path_);
      if (made.ok()) key = made->public_key();
    });
  }
  for (std::jthread& maker : makers) maker.join();
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 1U);
  EXPECT_FALSE(keys.front().empty());
}

TEST_F(KeyFileTest, BadKeysAreRefusedAndKept) {
  ASSERT_TRUE(os::RealFileSystem().CreateDirectories(folder_.path() + "/below").ok());
  const std::string good = *SigningKey::Generate()->ToPem();
  struct Row {
    const char* name;
    std::string bytes;
    mode_t mode;
    StatusCode code;
  };
  const Row rows[] = {
      {"others may read", good, 0640, StatusCode::kPermissionDenied},
      {"empty", "", 0600, StatusCode::kInvalidArgument},
      {"text", "no key", 0600, StatusCode::kInvalidArgument},
      {"too long", std::string(kMaxKeyFileBytes + 1, 'x'), 0600, StatusCode::kResourceExhausted},
      {"at the limit", good + std::string(kMaxKeyFileBytes - good.size(), '\n'), 0600, StatusCode::kOk},
  };
  for (const Row& row : rows) {
    Write(row.bytes, row.mode);
    EXPECT_EQ(LoadOrMakeSigningKey(path_).status().code(), row.code) << row.name;
    EXPECT_EQ(*os::ReadWholeFile(os::RealFileSystem(), path_, base::Bytes{base::kMiB}), row.bytes) << row.name;
  }
}

TEST_F(KeyFileTest, FolderThatCannotBeMadeIsAnError) {
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), folder_.path() + "/below", "a file").ok());
  EXPECT_FALSE(LoadOrMakeSigningKey(path_).ok());
}

TEST(DefaultKeyPathTest, IsBesideTheFileOrInTheStateFolder) {
  ::setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(*DefaultKeyPath("/data/ledger.db"), "/data/ledger.key");
  EXPECT_EQ(*DefaultKeyPath("sqlite:/data/other.db"), "/data/ledger.key");
  EXPECT_EQ(*DefaultKeyPath("ledger.db"), "ledger.key");
  EXPECT_EQ(*DefaultKeyPath("postgresql://host/database"), "/state/ashlar/ledger.key");
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", "/people/me", 1);
  EXPECT_EQ(*DefaultKeyPath("postgresql://host/database"), "/people/me/.local/state/ashlar/ledger.key");
  ::unsetenv("HOME");
  EXPECT_EQ(DefaultKeyPath("postgresql://host/database").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(DefaultKeyPath("").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace ashlar::ledger
