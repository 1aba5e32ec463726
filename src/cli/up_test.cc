#include "cli/up.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

class UpCommandTest : public testing::Test {
 protected:
  base::ExitStatus Run(std::vector<std::string> words) {
    words.insert(words.begin(), {"up", "--data", folder_.path() + "/state"});
    return RunProgram(CommandTable(), words);
  }

  os::TemporaryDirectory folder_ = os::TemporaryDirectory::Create().value();
};

TEST_F(UpCommandTest, WrongWordsAreUsageAndLeaveNothing) {
  EXPECT_EQ(Run({"--twice"}), base::ExitStatus::kUsage);
  EXPECT_EQ(Run({"--port", "70000"}), base::ExitStatus::kUsage);
  EXPECT_EQ(Run({"--config", folder_.path() + "/missing.yaml"}), base::ExitStatus::kCouldNotRun);
  EXPECT_FALSE(os::RealFileSystem().Stat(folder_.path() + "/state").ok());
}

TEST_F(UpCommandTest, OnceWithoutBenchmarksEndsWithTheScorecard) {
  const base::ExitStatus status = Run({"--once", "--no-collectives", "--no-storage"});
  EXPECT_TRUE(status == base::ExitStatus::kPass || status == base::ExitStatus::kFallsShort);
  EXPECT_TRUE(os::RealFileSystem().Stat(folder_.path() + "/state/report.html").ok());
  for (const char* format : {"table", "json", "markdown", "sarif", "junit", "html"}) {
    const std::string output = folder_.path() + "/scorecard." + format;
    EXPECT_EQ(RunProgram(CommandTable(),
                         {"assess", "--data", folder_.path() + "/state", "--format", format, "--output", output}),
              status)
        << format;
    EXPECT_GT(os::RealFileSystem().Stat(output).value().size_bytes, 1000U) << format;
  }
}

}  // namespace
}  // namespace ashlar::cli
