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

// A configuration of NHC in a folder that goes with the object.
class ConfFile {
 public:
  explicit ConfFile(const std::string& text) : folder_(os::TemporaryDirectory::Create()) {
    EXPECT_TRUE(folder_.ok() && os::WriteFileDurably(os::RealFileSystem(), path(), text).ok());
  }
  std::string path() const { return folder_->path() + "/nhc.conf"; }

 private:
  base::StatusOr<os::TemporaryDirectory> folder_;
};

struct ConfCase {
  std::string text;
  base::ExitStatus status;
  std::string output;
};

TEST(CheckCommand, AConfigurationOfNhcIsRunLineByLine) {
  const std::vector<ConfCase> cases = {
      {"* || check_file_test -c /dev/null\n", base::ExitStatus::kPass, "pass     nhc:1 check_file_test"},
      {"* || check_file_test -d /dev/null\n* || check_hw_eht x\n", base::ExitStatus::kFallsShort,
       "is it check_hw_eth?"},
      {"* || check_file_test -c /dev/null\n* || check_gpu_bw 48\n", base::ExitStatus::kCouldNotRun, "unknown  nhc:2"},
  };
  for (const auto& row : cases) {
    const ConfFile conf(row.text);
    const auto ran = RunCheck("--conf " + conf.path());
    ASSERT_TRUE(ran.status.ok()) << ran.status.status();
    EXPECT_EQ(*ran.status, row.status) << ran.output;
    EXPECT_NE(ran.output.find(row.output), std::string::npos) << ran.output;
  }
}

TEST(CheckCommand, ExplainSaysWhatEachLineBecomesAndRunsNothing) {
  const ConfFile honoured("* || check_file_test -d /no/such/folder\nno-such-host || nothing\n");
  const auto ran = RunCheck("--explain --conf " + honoured.path());
  ASSERT_TRUE(ran.status.ok());
  EXPECT_EQ(*ran.status, base::ExitStatus::kPass);
  EXPECT_NE(ran.output.find("all of -d for /no/such/folder"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("no-such-host does not match"), std::string::npos) << ran.output;

  const ConfFile broken("* || check_hw_eth $(ls)\n");
  const auto json = RunCheck("--explain --json --conf " + broken.path());
  ASSERT_TRUE(json.status.ok());
  EXPECT_EQ(*json.status, base::ExitStatus::kCouldNotRun);
  const auto parsed = base::ParseJson(json.output);
  ASSERT_TRUE(parsed.ok()) << json.output;
  EXPECT_EQ(*base::GetString(parsed->at("lines").at(0), "outcome"), "unknown");
}

TEST(CheckCommand, AConfigurationThatAsksNothingCouldNotRun) {
  const ConfFile other("no-such-host || check_hw_eth eth0\n");
  for (const auto& path : {std::string("/no/such/nhc.conf"), std::string("/dev/null"), other.path()}) {
    const auto ran = RunCheck("--conf " + path);
    ASSERT_FALSE(ran.status.ok()) << path;
    EXPECT_EQ(base::MapStatus(ran.status.status().code()).exit_status, base::ExitStatus::kCouldNotRun);
    EXPECT_NE(base::Message(ran.status.status()).find(path), std::string::npos) << ran.status.status();
  }
}

TEST(CheckCommand, AConfigurationOfNhcIsNotKeptAsTheMachinesHealth) {
  const auto folder = os::TemporaryDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const ConfFile conf("* || check_file_test -c /dev/null\n");
  ASSERT_TRUE(RunCheck("--conf " + conf.path() + " --data " + folder->path()).status.ok());
  EXPECT_FALSE(os::RealFileSystem().Stat(folder->path() + "/ledger.db").ok());
}

TEST(CheckCommand, OptionsThatDoNotGoTogether) {
  for (const auto* arguments : {"--explain", "--conf f --only swap", "--conf f --skip swap", "--conf f --list"}) {
    const auto command = MakeCheckCommand();
    CLI::App app;
    command->Describe(app);
    EXPECT_THROW(app.parse(arguments), CLI::ParseError) << arguments;
  }
}

}  // namespace
}  // namespace ashlar::cli
