#include "service/up.h"

#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "net/net.h"
#include "os/os.h"

namespace ashlar::service {
namespace {

class UpTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TemporaryDirectory::Create();
    ASSERT_TRUE(folder.ok());
    folder_.emplace(*std::move(folder));
    options_.folder = folder_->path() + "/state";
    options_.ledger_url = options_.folder + "/ledger.db";
    options_.config = base::JsonObject{};
    options_.port = 0;
    options_.once = true;
    options_.collectives = false;  // bench has tests of its own; they take long
    options_.storage = false;
    options_.on_result = [this](const std::string& text) { result_ += text; };
    options_.on_progress = [this](const std::string& line) { progress_ += line + "\n"; };
  }

  std::optional<os::TemporaryDirectory> folder_;
  UpOptions options_;
  std::string result_;
  std::string progress_;
};

TEST_F(UpTest, LeavesLedgerReportAndScorecard) {
  const auto status = Up(options_);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_NE(result_.find("38 considerations: "), std::string::npos);
  EXPECT_TRUE(os::RealFileSystem().Stat(options_.folder + "/report.html").ok());
  auto ledger = ledger::Ledger::Open({.url = options_.ledger_url, .read_only = true}, base::SystemClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  for (const char* kind : {"node.identity", "node.check", "assess.scorecard"}) {
    EXPECT_TRUE((*ledger)->Latest(kind, "").value().has_value()) << kind;
  }
  EXPECT_TRUE((*ledger)->Verify({}).value().ok());
}

TEST_F(UpTest, SecondStartSaysWhatChanged) {
  ASSERT_TRUE(Up(options_).ok());
  EXPECT_EQ(result_.find("Since the scorecard"), std::string::npos);
  ASSERT_TRUE(Up(options_).ok());
  EXPECT_NE(result_.find("Since the scorecard in entry 2"), std::string::npos) << result_;
}

TEST_F(UpTest, BusyPortIsOneClearErrorAndMeasuresNothing) {
  auto other = net::Server::Start({}, [](const net::Request&) { return net::Response(); });
  ASSERT_TRUE(other.ok());
  options_.once = false;
  options_.port = (*other)->port();
  const auto status = Up(options_).status();
  EXPECT_EQ(status.code(), base::StatusCode::kAlreadyExists);
  EXPECT_NE(base::Message(status).find("--port N"), std::string_view::npos) << status;
  EXPECT_EQ(progress_.find("checking"), std::string::npos);
}

TEST_F(UpTest, DamagedLedgerIsNamedAndKept) {
  ASSERT_TRUE(os::RealFileSystem().CreateDirectories(options_.folder).ok());
  const std::string damage =
      "this is no database, and it is longer than a header of one hundred bytes would be, truly "
      "it is, so nobody takes it for an empty file";
  ASSERT_TRUE(os::WriteFileDurably(os::RealFileSystem(), options_.ledger_url, damage).ok());
  const auto status = Up(options_).status();
  EXPECT_EQ(status.code(), base::StatusCode::kDataLoss) << status;
  EXPECT_EQ(os::ReadWholeFile(os::RealFileSystem(), options_.ledger_url, {4096}).value(), damage);
}

TEST_F(UpTest, WrongConfigurationIsRefusedBeforeAnythingLong) {
  options_.config = base::JsonObject{{"node", base::JsonObject{{"no_such_key", 1}}}};
  EXPECT_EQ(Up(options_).status().code(), base::StatusCode::kInvalidArgument);
}

TEST_F(UpTest, StopRequestEndsTheServing) {
  std::stop_source stop;
  options_.once = false;
  options_.stop = stop.get_token();
  std::string page;
  options_.on_progress = [&](const std::string& line) {
    progress_ += line + "\n";
    if (!line.starts_with("serving ")) return;
    net::Request request;
    request.target = line.substr(8, line.find(' ', 8) - 8);
    const auto answer = net::Fetch(request);
    page = answer.ok() ? answer->body : std::string(base::Message(answer.status()));
    stop.request_stop();
  };
  const auto status = Up(options_);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_NE(page.find("Ashlar scorecard"), std::string::npos) << page;
}

TEST_F(UpTest, InterruptBeforeTheScorecardIsCancelled) {
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  EXPECT_EQ(Up(options_).status().code(), base::StatusCode::kCancelled);
}

}  // namespace
}  // namespace ashlar::service
