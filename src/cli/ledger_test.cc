#include "cli/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "os/os.h"

namespace ashlar::cli {
namespace {

using base::ExitStatus;
using testing::HasSubstr;

struct Outcome {
  ExitStatus status = ExitStatus::kCouldNotRun;
  std::string output;
};

class LedgerCommandTest : public testing::Test {
 protected:
  // Runs `words` on the ledger in the folder, as the program would.
  Outcome RunWords(std::vector<std::string> words) const {
    words.insert(words.end(), {"--data", folder_.path()});
    const auto command = MakeLedgerCommand();
    CLI::App app;
    command->Describe(app);
    std::reverse(words.begin(), words.end());
    testing::internal::CaptureStdout();
    base::StatusOr<ExitStatus> status = ExitStatus::kUsage;
    try {
      app.parse(words);
      status = command->Run();
    } catch (const CLI::ParseError&) {
      status = ExitStatus::kUsage;
    }
    Outcome outcome{.output = testing::internal::GetCapturedStdout()};
    outcome.status = status.ok() ? *status : base::MapStatus(status.status().code()).exit_status;
    if (!status.ok()) outcome.output += base::Message(status.status());
    return outcome;
  }

  void FillLedger() const {
    const auto ledger = ledger::Ledger::Open({.url = folder_.path() + "/ledger.db"}, base::SystemClock());
    ASSERT_TRUE(ledger.ok()) << ledger.status();
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(
          (*ledger)->Append({.kind = i == 1 ? "odd" : "even", .subject = "host", .actor = "test", .body = i}).ok());
    }
  }

  std::string Save(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(os::WriteFileDurably(os::RealFileSystem(), path, text).ok());
    return path;
  }

  os::TemporaryDirectory folder_ = *os::TemporaryDirectory::Create();
};

TEST_F(LedgerCommandTest, WithoutALedgerNothingRuns) {
  for (const char* word : {"show", "verify", "checkpoint"}) {
    EXPECT_EQ(RunWords({word}).status, ExitStatus::kCouldNotRun) << word;
  }
}

TEST_F(LedgerCommandTest, WrongWordsAreUsage) {
  FillLedger();
  const std::vector<std::vector<std::string>> rows = {{},
                                                      {"unknown"},
                                                      {"show", "--limit", "0"},
                                                      {"show", "--limit", "100001"},
                                                      {"prove"},
                                                      {"prove", "x"},
                                                      {"prove", "1", "--consistency", "1", "2"},
                                                      {"prove", "--consistency", "1"},
                                                      {"verify", "--key", folder_.path() + "/ledger.db"},
                                                      {"verify", "--proof", "file"}};
  for (const auto& words : rows) {
    const Outcome outcome = RunWords(words);
    EXPECT_TRUE(outcome.status == ExitStatus::kUsage || outcome.status == ExitStatus::kCouldNotRun)
        << testing::PrintToString(words) << outcome.output;
  }
}

TEST_F(LedgerCommandTest, ShowSelectsAndOrders) {
  FillLedger();
  EXPECT_THAT(RunWords({"show"}).output, testing::ContainsRegex("sequence.*\n.*0 .*\n.*1 .*\n.*2 .*\n"));
  EXPECT_THAT(RunWords({"show", "--json", "--limit", "1"}).output, HasSubstr("{\"sequence\":2,"));
  EXPECT_THAT(RunWords({"show", "--json", "--from", "0", "--limit", "1"}).output, HasSubstr("{\"sequence\":0,"));
  EXPECT_THAT(RunWords({"show", "--json", "--kind", "odd"}).output, HasSubstr("{\"sequence\":1,"));
}

TEST_F(LedgerCommandTest, VerifyPassesUntilSomethingIsChanged) {
  FillLedger();
  const std::string checkpoint = Save("checkpoint", RunWords({"checkpoint"}).output);
  EXPECT_EQ(RunWords({"verify"}).status, ExitStatus::kPass);
  const Outcome held = RunWords({"verify", "--checkpoint", checkpoint});
  EXPECT_EQ(held.status, ExitStatus::kPass);
  EXPECT_THAT(held.output, HasSubstr("extends the checkpoint"));
  const auto json = base::ParseJson(RunWords({"verify", "--json"}).output);
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(*base::GetString(*json, "verdict"), "pass");

  // An old copy put back: the ledger begins anew under its old checkpoint.
  for (const char* name : {"/ledger.db", "/ledger.db-wal", "/ledger.db-shm"}) {
    os::RealFileSystem().Remove(folder_.path() + name).IgnoreError();
  }
  FillLedger();
  EXPECT_EQ(RunWords({"verify"}).status, ExitStatus::kPass);
  EXPECT_EQ(RunWords({"verify", "--checkpoint", checkpoint}).status, ExitStatus::kFallsShort);
}

TEST_F(LedgerCommandTest, ProofsAreCheckedWithTheKeyAlone) {
  FillLedger();
  const std::string key = Save("key", RunWords({"checkpoint", "--key"}).output);
  const Outcome entry = RunWords({"prove", "1"});
  ASSERT_EQ(entry.status, ExitStatus::kPass) << entry.output;
  const std::string proof = Save("proof", entry.output);
  const Outcome consistency = RunWords({"prove", "--consistency", "2", "3"});
  ASSERT_EQ(consistency.status, ExitStatus::kPass) << consistency.output;
  const std::string extension = Save("extension", consistency.output);
  std::string altered = entry.output;
  altered.replace(altered.find("odd"), 3, "off");
  const std::string forgery = Save("forgery", altered);
  ASSERT_TRUE(os::RealFileSystem().Remove(folder_.path() + "/ledger.db").ok());
  EXPECT_THAT(RunWords({"verify", "--proof", proof, "--key", key}).output, HasSubstr("entry 1 (odd, "));
  EXPECT_EQ(RunWords({"verify", "--proof", extension, "--key", key}).status, ExitStatus::kPass);
  EXPECT_EQ(RunWords({"verify", "--proof", forgery, "--key", key}).status, ExitStatus::kFallsShort);
  EXPECT_EQ(RunWords({"verify", "--proof", key, "--key", key}).status, ExitStatus::kUsage);
  EXPECT_EQ(RunWords({"verify", "--proof", folder_.path() + "/none", "--key", key}).status, ExitStatus::kCouldNotRun);
}

TEST_F(LedgerCommandTest, ProofBeyondTheEndCouldNotRun) {
  FillLedger();
  EXPECT_NE(RunWords({"prove", "3"}).status, ExitStatus::kPass);
  EXPECT_NE(RunWords({"prove", "--consistency", "1", "2"}).status, ExitStatus::kPass);
}

}  // namespace
}  // namespace ashlar::cli
