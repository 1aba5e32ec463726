#include "cli/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::ExitStatus;
using ::testing::HasSubstr;

struct Ran {
  base::StatusOr<ExitStatus> status = ExitStatus::kUsage;
  std::string output;
};

Ran RunValidate(const std::string& arguments) {
  const auto command = MakeValidateCommand();
  CLI::App app;
  command->Describe(app);
  app.parse(arguments + " --no-record");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.status = command->Run();
  ran.output = testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  return ran;
}

TEST(ValidateCommandTest, WrongWordsAreUsageErrorsThatSayWhatToDo) {
  struct Row {
    const char* arguments;
    base::StatusCode code;
    const char* message;
  };
  const Row rows[] = {
      {"", base::StatusCode::kInvalidArgument, "which nodes?"},
      {"--local 8 --simulate 8", base::StatusCode::kInvalidArgument, "which nodes?"},
      {"--simulate 8 --inject hang:3", base::StatusCode::kInvalidArgument, "needs --drill"},
      {"--simulate 8 --inject hang:8 --drill", base::StatusCode::kInvalidArgument, "there are 8 nodes"},
      {"--simulate 8 --expect much", base::StatusCode::kInvalidArgument, "GB/s above 0"},
      {"--simulate 5000", base::StatusCode::kInvalidArgument, "2 to 4096"},
      {"--hostfile /no/such/hosts", base::StatusCode::kNotFound, "/no/such/hosts"},
  };
  for (const Row& row : rows) {
    const Ran ran = RunValidate(row.arguments);
    EXPECT_EQ(ran.status.status().code(), row.code) << row.arguments;
    EXPECT_THAT(std::string(base::Message(ran.status.status())), HasSubstr(row.message)) << row.arguments;
  }
}

TEST(ValidateCommandTest, ADrillNamesItsCulpritAndSaysThatItIsOne) {
  const Ran ran = RunValidate("--simulate 17 --inject slow_rank:6:0.4 --drill");
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  EXPECT_EQ(*ran.status, ExitStatus::kFallsShort);
  EXPECT_THAT(ran.output, HasSubstr("# DRILL"));
  EXPECT_THAT(ran.output, HasSubstr("node    sim-0006"));
}

TEST(ValidateCommandTest, JsonHoldsEveryTest) {
  const Ran ran = RunValidate("--simulate 8 --json");
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  EXPECT_EQ(*ran.status, ExitStatus::kPass);
  const auto document = base::ParseJson(ran.output);
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(base::GetString(*document, "schema").value_or(""), "ashlar.validate/1");
  // Seven rounds of four pairs: all of eight nodes.
  EXPECT_EQ(base::Find(*document, "tests")->get_array().size(), 28U);
}

// The sample of docs/journeys/validate.md is what the command prints.
TEST(ValidateCommandTest, TheSampleOfTheJourneyIsTrue) {
  const Ran ran = RunValidate("--simulate 16 --nodes-per-switch 4 --inject slow_rank:7:0.45 --drill");
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  const auto page =
      os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/docs/journeys/validate.md", base::Bytes{base::kMiB});
  ASSERT_TRUE(page.ok()) << page.status();
  for (const std::string_view line : base::SplitLines(ran.output)) {
    EXPECT_THAT(*page, HasSubstr(std::string(base::Trim(line))));
  }
}

}  // namespace
}  // namespace ashlar::cli
