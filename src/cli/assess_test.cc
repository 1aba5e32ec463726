#include "cli/assess.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

struct Row {
  const char* name;
  std::vector<std::string> words;
  base::ExitStatus status;
};

// What it does with a ledger is in up_test.cc, which makes one.
TEST(AssessCommandTest, NoLedgerIsCouldNotRunAndMakesNone) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const Row rows[] = {
      {"no ledger", {"assess", "--data", folder->path() + "/none"}, base::ExitStatus::kCouldNotRun},
      {"unknown format", {"assess", "--format", "pdf"}, base::ExitStatus::kUsage},
      {"unknown option", {"assess", "--all"}, base::ExitStatus::kUsage},
  };
  for (const Row& row : rows) EXPECT_EQ(RunProgram(CommandTable(), row.words), row.status) << row.name;
  EXPECT_FALSE(os::RealFileSystem().Stat(folder->path() + "/none").ok());
}

}  // namespace
}  // namespace ashlar::cli
