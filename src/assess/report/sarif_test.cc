#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

base::Json Sarif(const Evidence& evidence) {
  auto json = base::ParseJson(RenderSarif(Assess(evidence)));
  EXPECT_TRUE(json.ok()) << json.status();
  return *json;
}

const base::JsonArray& Results(const base::Json& sarif) {
  return base::Find(base::Find(sarif, "runs")->get_array().front(), "results")->get_array();
}

// Rules of SARIF 2.1.0: 3.27.10 level is "none" unless kind is "fail"; 3.27.6 ruleIndex points at the rule of ruleId.
TEST(SarifTest, KeepsTheRulesOfTheStandard) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(60, "node.check", CheckBody("memory-amount", "fail")));
  const base::Json sarif = Sarif(evidence);
  EXPECT_EQ(base::GetString(sarif, "version").value(), "2.1.0");
  const base::Json& run = base::Find(sarif, "runs")->get_array().front();
  const auto& rules = base::FindPath(run, "tool.driver.rules")->get_array();
  EXPECT_EQ(rules.size(), 38U);
  EXPECT_EQ(Results(sarif).size(), 38U);
  for (const base::Json& result : Results(sarif)) {
    const std::string kind = base::GetString(result, "kind").value();
    EXPECT_EQ(base::GetString(result, "level").value() == "none", kind != "fail");
    EXPECT_TRUE(kind == "pass" || kind == "fail" || kind == "open" || kind == "notApplicable") << kind;
    const auto index = static_cast<size_t>(base::GetInt(result, "ruleIndex").value());
    EXPECT_EQ(base::GetString(rules.at(index), "id").value(), base::GetString(result, "ruleId").value());
    EXPECT_FALSE(base::FindPath(result, "message.text")->get_string().empty());
  }
}

TEST(SarifTest, PointsAtTheEntryOfTheEvidence) {
  const base::Json sarif = Sarif(HealthyMachine());
  for (const base::Json& result : Results(sarif)) {
    if (base::GetString(result, "ruleId").value() != "bench-node-health") continue;
    const base::Json& location = base::Find(result, "locations")->get_array().front();
    const base::Json& logical = base::Find(location, "logicalLocations")->get_array().front();
    EXPECT_EQ(base::GetString(logical, "fullyQualifiedName").value(), "ledger/9/node.check/findings");
  }
}

TEST(SarifTest, BaselineStateOnlyWithABaseline) {
  Evidence evidence = HealthyMachine();
  const base::Json first = Sarif(evidence);
  EXPECT_EQ(base::Find(Results(first).front(), "baselineState"), nullptr);
  evidence.Add(TestEntry(60, "assess.scorecard", base::WriteJson(ScorecardToJson(Assess(evidence)))));
  evidence.Add(TestEntry(61, "node.check", CheckBody("memory-amount", "fail")));
  const base::Json second = Sarif(evidence);
  for (const base::Json& result : Results(second)) {
    const bool changed = base::GetString(result, "ruleId").value() == "bench-node-health";
    EXPECT_EQ(base::GetString(result, "baselineState").value(), changed ? "updated" : "unchanged");
  }
}

}  // namespace
}  // namespace ashlar::assess
