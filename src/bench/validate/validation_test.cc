#include "bench/validate/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/validate/simulated_tester.h"

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

// Passes on to a simulated cluster, and fails tests of one node as a machine that cannot be logged in to.
class HalfDeadTester : public NodeTester {
 public:
  HalfDeadTester(std::unique_ptr<NodeTester> inner, int dead) : inner_(std::move(inner)), dead_(dead) {}
  const std::vector<std::string>& nodes() const override { return inner_->nodes(); }
  const stats::Topology& topology() const override { return inner_->topology(); }
  std::string method() const override { return inner_->method(); }
  std::string drill() const override { return ""; }
  std::vector<base::StatusOr<NodeTestReport>> Run(const std::vector<stats::PlannedTest>& tests,
                                                  const std::stop_token& stop) override {
    auto reports = inner_->Run(tests, stop);
    for (size_t i = 0; i < tests.size(); ++i) {
      const std::vector<int>& nodes = tests[i].nodes;
      if (dead_ < 0 || std::find(nodes.begin(), nodes.end(), dead_) != nodes.end()) {
        reports[i] = base::Error(base::StatusCode::kAborted, "no route to host");
      }
    }
    return reports;
  }

 private:
  std::unique_ptr<NodeTester> inner_;
  int dead_;  // -1: all
};

base::StatusOr<base::Json> ValidateSimulated(const std::string& inject, std::optional<ExpectedSpeed> expected = {}) {
  const auto tester = MakeSimulatedTester({.nodes = 17, .inject = inject}).value();
  return Validate({.tester = *tester, .expected = std::move(expected)});
}

base::Finding FindingOf(const base::Json& document, std::string_view id) {
  for (const base::Json& json : base::Find(document, "findings")->get_array()) {
    const auto finding = base::FindingFromJson(json);
    if (finding.ok() && finding->id == id) return *finding;
  }
  return {};
}

TEST(Validate, NoTestThatRunsIsAnErrorAndNoPass) {
  HalfDeadTester tester(MakeSimulatedTester({.nodes = 8}).value(), -1);
  const auto document = Validate({.tester = tester});
  EXPECT_EQ(document.status().code(), base::StatusCode::kAborted);
  EXPECT_THAT(std::string(base::Message(document.status())), HasSubstr("no route to host"));
}

TEST(Validate, ANodeWhoseTestsDoNotRunIsUnknown) {
  HalfDeadTester tester(MakeSimulatedTester({.nodes = 8}).value(), 5);
  const auto document = Validate({.tester = tester});
  ASSERT_TRUE(document.ok()) << document.status();
  const base::Finding finding = FindingOf(*document, "validate-nodes");
  EXPECT_EQ(finding.verdict, base::Verdict::kUnknown);
  EXPECT_THAT(finding.reason, HasSubstr("could not run"));
  EXPECT_EQ(ExitStatusOfValidation(*document), base::ExitStatus::kCouldNotRun);
}

TEST(Validate, StoppedIsCancelled) {
  std::stop_source source;
  source.request_stop();
  const auto tester = MakeSimulatedTester({.nodes = 8}).value();
  EXPECT_EQ(Validate({.tester = *tester, .stop = source.get_token()}).status().code(), base::StatusCode::kCancelled);
}

TEST(Validate, TheCulpritIsNamedWithItsTests) {
  const auto document = ValidateSimulated("slow_rank:6:0.4");
  ASSERT_TRUE(document.ok()) << document.status();
  const base::Finding finding = FindingOf(*document, "validate-culprit");
  EXPECT_EQ(finding.verdict, base::Verdict::kFail);
  EXPECT_EQ(finding.value, "sim-0006");
  EXPECT_EQ(ExitStatusOfValidation(*document), base::ExitStatus::kFallsShort);
  EXPECT_EQ(base::GetString(*document, "drill").value_or(""), "slow_rank:6:0.4");
  const std::string text = ValidationText(*document);
  EXPECT_THAT(text, HasSubstr("# DRILL"));
  EXPECT_THAT(text, HasSubstr("slow pinned:\n  node    sim-0006"));
  EXPECT_THAT(text, HasSubstr("round 1"));
}

TEST(Validate, AHealthyClusterPassesAndSpeedIsHeldAgainstTheExpectation) {
  auto document = ValidateSimulated("");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(FindingOf(*document, "validate-nodes").verdict, base::Verdict::kPass);
  EXPECT_EQ(FindingOf(*document, "validate-speed").verdict, base::Verdict::kNotApplicable);
  EXPECT_EQ(ExitStatusOfValidation(*document), base::ExitStatus::kPass);
  document = ValidateSimulated("", ExpectedSpeed{400e9, "data sheet"});
  EXPECT_EQ(FindingOf(*document, "validate-speed").verdict, base::Verdict::kPass);
  // All alike at half of what they should reach: nobody's fault.
  document = ValidateSimulated("", ExpectedSpeed{800e9, "data sheet"});
  const base::Finding finding = FindingOf(*document, "validate-speed");
  EXPECT_EQ(finding.verdict, base::Verdict::kFail);
  EXPECT_THAT(finding.reason, HasSubstr("configuration"));
  EXPECT_EQ(finding.expectation_source, "data sheet");
}

TEST(Validate, ProgressNamesRounds) {
  const auto tester = MakeSimulatedTester({.nodes = 8}).value();
  std::vector<int> rounds;
  const auto document =
      Validate({.tester = *tester, .on_progress = [&](const ValidationProgress& p) { rounds.push_back(p.round); }});
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(rounds.front(), 1);
  EXPECT_EQ(rounds.size(), 2 * static_cast<size_t>(base::GetInt(*document, "rounds").value_or(0)));
}

TEST(ValidationText, SurvivesAnyDocument) {
  for (const char* text :
       {"null", "{}", R"({"accusations": [1, {}, {"candidates": [{}], "support": [7]}], "tests": []})",
        R"({"findings": [{}], "healthy": [1], "next_tests": [1]})"}) {
    EXPECT_FALSE(ValidationText(base::ParseJson(text).value()).empty());
    EXPECT_EQ(ExitStatusOfValidation(base::ParseJson(text).value()), base::ExitStatus::kCouldNotRun);
  }
}

}  // namespace
}  // namespace ashlar::bench
