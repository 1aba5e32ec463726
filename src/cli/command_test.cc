#include "cli/command.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "os/os.h"

namespace ashlar::cli {
namespace {

// Sets a variable of this process for one test.
class WithVariable {
 public:
  WithVariable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~WithVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(CommandTest, DataFolderFollowsOptionThenEnvironment) {
  const WithVariable home("HOME", "/somewhere");
  EXPECT_EQ(DataDirectory({.data = "/data"}), "/data");
  EXPECT_EQ(DataDirectory({}), "/somewhere/.local/state/ashlar");
  const WithVariable state("XDG_STATE_HOME", "/state");
  EXPECT_EQ(DataDirectory({}), "/state/ashlar");
}

TEST(CommandTest, LedgerUrlFollowsEnvironmentThenConfigurationThenFolder) {
  const auto folder = os::TemporaryDirectory::Create();
  const std::string path = folder->path() + "/ashlar.yaml";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "ledger: postgresql://db/ashlar\n").ok());
  EXPECT_EQ(LedgerUrl({.data = "/data"}).value(), "/data/ledger.db");
  EXPECT_EQ(LedgerUrl({.data = "/data", .config = path}).value(), "postgresql://db/ashlar");
  const WithVariable ledger("ASHLAR_LEDGER", "/elsewhere.db");
  EXPECT_EQ(LedgerUrl({.data = "/data", .config = path}).value(), "/elsewhere.db");
}

struct Row {
  const char* name;
  const char* text;
  base::StatusCode code;
};

TEST(CommandTest, ConfigurationErrorsNameTheFile) {
  const Row rows[] = {
      {"mapping", "node: {memory_bytes: 16G}\n", base::StatusCode::kOk},
      {"empty", "", base::StatusCode::kOk},
      {"list", "- a\n", base::StatusCode::kInvalidArgument},
      {"broken", "a: [1\n", base::StatusCode::kInvalidArgument},
  };
  const auto folder = os::TemporaryDirectory::Create();
  const std::string path = folder->path() + "/ashlar.yaml";
  for (const Row& row : rows) {
    ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, row.text).ok());
    const auto config = LoadConfig({.config = path});
    EXPECT_EQ(config.status().code(), row.code) << row.name;
    if (!config.ok()) {
      EXPECT_NE(base::Message(config.status()).find(path), std::string_view::npos) << row.name;
    }
  }
  EXPECT_TRUE(LoadConfig({}).value().is_object());
  EXPECT_EQ(LoadConfig({.config = folder->path() + "/missing"}).status().code(), base::StatusCode::kNotFound);
}

TEST(CommandTest, WrongLedgerInConfigurationIsRefused) {
  const auto folder = os::TemporaryDirectory::Create();
  const std::string path = folder->path() + "/ashlar.yaml";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "ledger: 5\n").ok());
  EXPECT_EQ(LedgerUrl({.config = path}).status().code(), base::StatusCode::kInvalidArgument);
}

TEST(CommandTest, NoColourWhenAskedOrWithoutATerminal) {
  const WithVariable plain("NO_COLOR", "1");
  EXPECT_FALSE(UseColour(1));
}

}  // namespace
}  // namespace ashlar::cli
