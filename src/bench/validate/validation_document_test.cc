#include "bench/validate/validation_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/validate/simulated_tester.h"

namespace ashlar::bench {
namespace {

TEST(CulpritText, NamesNodesLinksAndSwitches) {
  const auto tester = MakeSimulatedTester({.nodes = 12, .nodes_per_switch = 6}).value();
  EXPECT_EQ(CulpritText({stats::CulpritKind::kNode, 3, -1}, *tester), "sim-0003");
  EXPECT_EQ(CulpritText({stats::CulpritKind::kLink, 3, 7}, *tester), "the link sim-0003 - sim-0007");
  EXPECT_EQ(CulpritText({stats::CulpritKind::kSwitch, 1, -1}, *tester),
            "the switch of sim-0006, sim-0007, sim-0008, sim-0009, ...");
}

TEST(DiagnosisText, SaysNothingOrWhoIsInDoubt) {
  const auto tester = MakeSimulatedTester({.nodes = 4}).value();
  stats::Diagnosis diagnosis;
  EXPECT_EQ(DiagnosisText(diagnosis, *tester), "nothing stands out");
  diagnosis.doubts.push_back({{{stats::CulpritKind::kNode, 1, -1}, 0.4}, stats::Symptom::kSlow});
  EXPECT_EQ(DiagnosisText(diagnosis, *tester), "in doubt: sim-0001 (40 %)");
}

TEST(ValidationDocument, HoldsEveryTestAndWhatCouldNotRun) {
  const auto tester = MakeSimulatedTester({.nodes = 4}).value();
  stats::CulpritSearch search = stats::CulpritSearch::Create(tester->topology()).value();
  const std::vector<RunTest> tests = {
      {.round = 1, .report = {.result = {.nodes = {0, 1}, .log_speed = 0}, .text = "1 B/s"}}};
  ASSERT_TRUE(search.Add(std::vector<stats::TestResult>{tests[0].report.result}).ok());
  const std::vector<UnrunTest> unrun = {{.round = 1, .nodes = {2, 3}, .reason = "no route"}};
  const std::optional<ExpectedSpeed> expected;
  const base::Json document = ValidationDocument({*tester, search, tests, unrun, absl::UnixEpoch(), expected});
  EXPECT_EQ(base::GetString(document, "schema").value_or(""), "ashlar.validate/1");
  const base::Json& test = document.at("tests").at(0);
  EXPECT_EQ(base::GetNumber(test, "busbw_bytes_per_second").value_or(0), 1);
  EXPECT_EQ(base::GetString(document.at("unrun").at(0), "reason").value_or(""), "no route");
  // Half of the nodes were never tested: unknown.
  EXPECT_EQ(ExitStatusOfValidation(document), base::ExitStatus::kCouldNotRun);
}

}  // namespace
}  // namespace ashlar::bench
