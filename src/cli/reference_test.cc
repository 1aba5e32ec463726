#include "cli/reference.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

TEST(ReferenceTest, EveryCommandIsInHelpManPageAndCompletions) {
  const auto table = CommandTable();
  const std::string overview = Overview(table);
  const std::string page = ManPage(table);
  const std::string bash = Completion(table, "bash").value();
  const std::string fish = Completion(table, "fish").value();
  for (const CommandRow& row : table) {
    EXPECT_NE(overview.find(row.summary), std::string::npos) << row.name;
    EXPECT_NE(page.find(fmt::format(".SS ashlar {}\n", row.name)), std::string::npos) << row.name;
    EXPECT_NE(bash.find(fmt::format("\"{}\"", row.name)), std::string::npos) << row.name;
    EXPECT_NE(fish.find(std::string(row.summary)), std::string::npos) << row.name;
  }
}

TEST(ReferenceTest, UnknownShellIsRefused) {
  EXPECT_EQ(Completion(CommandTable(), "tcsh").status().code(), base::StatusCode::kInvalidArgument);
}

// bash itself reads the script and completes an option of `ashlar check`.
TEST(ReferenceTest, BashCompletesOptions) {
  os::SubprocessOptions options;
  options.command = {
      "bash", "-c",
      "source /dev/stdin; COMP_WORDS=(ashlar check --onl); COMP_CWORD=2; _ashlar; echo \"${COMPREPLY[*]}\""};
  options.input = Completion(CommandTable(), "bash").value();
  const auto result = os::RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "--only\n") << result->error;
}

}  // namespace
}  // namespace ashlar::cli
