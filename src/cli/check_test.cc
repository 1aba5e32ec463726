#include "cli/check.h"

#include <gtest/gtest.h>

#include "node/node.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

struct Ran {
  base::StatusOr<base::ExitStatus> status = base::ExitStatus::kUsage;
  std::string output;
};

// Parses as the program does, and runs. A parse that fails is a failed test.
Ran RunCheck(const std::string& arguments) {
  const auto command = MakeCheckCommand();
  CLI::App app;
  command->Describe(app);
  app.parse(arguments);
  testing::internal::CaptureStdout();
  Ran ran;
  ran.status = command->Run();
  ran.output = testing::internal::GetCapturedStdout();
  return ran;
}

TEST(CheckCommand, AnUnknownCheckIsAUsageErrorThatNamesIt) {
  const auto ran = RunCheck("--only swp");
  EXPECT_EQ(ran.status.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_NE(base::Message(ran.status.status()).find("swp"), std::string::npos);
  EXPECT_TRUE(ran.output.empty());
}

TEST(CheckCommand, AConfigurationThatIsNotThereIsAnError) {
  EXPECT_EQ(RunCheck("--config /no/such/file.yaml").status.status().code(), base::StatusCode::kNotFound);
}

TEST(CheckCommand, ListsEveryCheck) {
  const auto ran = RunCheck("--list");
  ASSERT_TRUE(ran.status.ok());
  EXPECT_EQ(*ran.status, base::ExitStatus::kPass);
  for (const auto& row : node::CheckTable()) EXPECT_NE(ran.output.find(row.id), std::string::npos) << row.id;
}

TEST(CheckCommand, TheExitStatusIsThatOfTheWorstVerdictInBothForms) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string data = " --data " + folder->path();
  const auto table = RunCheck("--only filesystem-writable,process-limits --skip process-limits" + data);
  ASSERT_TRUE(table.status.ok()) << table.status.status();
  EXPECT_EQ(*table.status, base::ExitStatus::kPass) << table.output;
  EXPECT_NE(table.output.find("pass     filesystem-writable"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("PASS: 1 pass"), std::string::npos) << table.output;
  EXPECT_EQ(table.output.find('\033'), std::string::npos);

  const auto json = RunCheck("--json --only filesystem-writable" + data);
  ASSERT_TRUE(json.status.ok());
  const auto parsed = base::ParseJson(json.output);
  ASSERT_TRUE(parsed.ok()) << json.output;
  EXPECT_EQ(*base::GetString(*parsed, "verdict"), "pass");
}

TEST(CheckCommand, ExpectationsComeFromTheConfiguration) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/cluster.yaml";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, "node: {mounts: [/no/such/mount]}\n").ok());
  const auto ran = RunCheck("--only required-mounts --config " + path);
  ASSERT_TRUE(ran.status.ok()) << ran.status.status();
  EXPECT_EQ(*ran.status, base::ExitStatus::kFallsShort);
  EXPECT_NE(ran.output.find("not mounted: /no/such/mount"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace ashlar::cli
