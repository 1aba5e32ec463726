#include "cli/explain.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

TEST(ExplainCommandTest, WithoutALedgerThereIsNothingToExplain) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::vector<std::string> none = {"explain", "bench-nccl", "--data", folder->path() + "/none"};
  EXPECT_EQ(RunProgram(CommandTable(), none), base::ExitStatus::kCouldNotRun);
  const std::vector<std::string> no_id = {"explain"};
  EXPECT_EQ(RunProgram(CommandTable(), no_id), base::ExitStatus::kUsage);
}

}  // namespace
}  // namespace ashlar::cli
