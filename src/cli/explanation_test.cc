#include "cli/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::cli {
namespace {

using testing::HasSubstr;

class ExplanationTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = os::TemporaryDirectory::Create().value();
    ledger_ = ledger::Ledger::Open({.url = folder_->path() + "/ledger.db"}, clock_).value();
    const base::Json check = base::ParseJson(R"({"run": "r", "findings": [
        {"id": "clock-synchronised", "verdict": "fail", "value": "no service", "unit": "", "expectation": "in step",
         "expectation_source": "data/node/checks.yaml", "read_from": "adjtimex", "grade": "measured",
         "reason": "start chrony"}]})")
                                 .value();
    Append("node.check", check);
    const base::Json read = base::ParseJson(R"({"findings": [
        {"id": "read-complete", "verdict": "unknown", "value": null, "unit": "", "expectation": "3 sizes",
         "expectation_source": "the run's header", "read_from": "logs/a.log:17", "grade": "measured",
         "reason": "cut"}]})")
                                .value();
    Append("bench.read", read);
  }

  void Append(const std::string& kind, const base::Json& body) {
    const auto entry = ledger_->Append({.kind = kind, .subject = "a", .actor = "test", .body = body});
    ASSERT_TRUE(entry.ok()) << entry.status();
  }

  base::StatusOr<base::Json> ExplainId(const std::string& id) {
    const auto evidence = assess::Evidence::Load(*ledger_, base::JsonObject(), clock_.Now());
    EXPECT_TRUE(evidence.ok());
    return Explain(*ledger_, assess::Assess(*evidence), id);
  }

  base::FakeClock clock_{absl::FromUnixSeconds(1'800'000'000)};
  std::optional<os::TemporaryDirectory> folder_;
  std::unique_ptr<ledger::Ledger> ledger_;
};

TEST_F(ExplanationTest, WhatIsNotThereIsAnErrorThatNamesWhatIs) {
  const auto explanation = ExplainId("no-such-thing");
  EXPECT_EQ(explanation.status().code(), base::StatusCode::kNotFound);
  EXPECT_THAT(std::string(base::Message(explanation.status())), HasSubstr("clock-synchronised"));
  EXPECT_EQ(ExplainId("99").status().code(), base::StatusCode::kNotFound);
}

TEST_F(ExplanationTest, AFindingDownToFileAndLine) {
  const auto explanation = ExplainId("read-complete");
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  const std::string text = ExplanationText(*explanation);
  EXPECT_THAT(text, HasSubstr("read-complete: unknown"));
  EXPECT_THAT(text, HasSubstr("logs/a.log:17"));
  EXPECT_THAT(text, HasSubstr("entry 1  bench.read  a"));
}

TEST_F(ExplanationTest, AConsiderationWithTheEntriesItRestsOn) {
  const auto explanation = ExplainId("bench-node-health");
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_EQ(base::GetString(*explanation, "verdict").value_or(""), "fail");
  const std::string text = ExplanationText(*explanation);
  EXPECT_THAT(text, HasSubstr("entry 0  node.check  a"));
}

TEST_F(ExplanationTest, AnEntryWithItsFindings) {
  const auto explanation = ExplainId("0");
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  const std::string text = ExplanationText(*explanation);
  EXPECT_THAT(text, HasSubstr("adjtimex"));
  EXPECT_THAT(text, HasSubstr("in step (data/node/checks.yaml)"));
  EXPECT_THAT(text, HasSubstr("start chrony"));
}

TEST_F(ExplanationTest, WithoutEvidenceItSaysSo) {
  const auto explanation = ExplainId("rel-zones");
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_THAT(ExplanationText(*explanation), HasSubstr("no entry of the ledger speaks of it"));
}

}  // namespace
}  // namespace ashlar::cli
