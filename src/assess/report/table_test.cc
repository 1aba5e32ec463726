#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

size_t Characters(std::string_view line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

TEST(TableTest, FitsEightyColumnsAndNamesEveryConsideration) {
  const std::string table = RenderTable(Assess(HealthyMachine()), false);
  for (const std::string_view line : base::SplitLines(table)) EXPECT_LE(Characters(line), 80U) << line;
  for (const Consideration* consideration : Considerations()) {
    EXPECT_NE(table.find(consideration->id), std::string::npos) << consideration->id;
  }
  EXPECT_NE(table.find("✓ pass"), std::string::npos);
  EXPECT_NE(table.find("38 considerations: "), std::string::npos);
}

TEST(TableTest, FailureIsWrittenLargeWithTheCommandThatRepeatsIt) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(60, "node.check", CheckBody("memory-amount", "fail")));
  const std::string table = RenderTable(Assess(evidence), false);
  EXPECT_NE(table.find("✗ FAIL     bench-node-health        1 failed: memory-amount"), std::string::npos) << table;
  EXPECT_NE(table.find("→ ashlar check"), std::string::npos);
}

TEST(TableTest, ColoursOnlyWhenAsked) {
  const Scorecard scorecard = Assess(HealthyMachine());
  EXPECT_EQ(RenderTable(scorecard, false).find('\x1b'), std::string::npos);
  EXPECT_NE(RenderTable(scorecard, true).find("\x1b[32m"), std::string::npos);
}

TEST(TableTest, ControlCharactersOfEvidenceDoNotReachTheTerminal) {
  Evidence evidence = NoEvidence();
  evidence.SetLedgerFacts({1, false, "entry \x1b[2J was edited"});
  EXPECT_EQ(RenderTable(Assess(evidence), false).find('\x1b'), std::string::npos);
}

TEST(TableTest, SaysWhatChanged) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(60, "assess.scorecard", base::WriteJson(ScorecardToJson(Assess(evidence)))));
  EXPECT_NE(RenderTable(Assess(evidence), false).find("entry 60: nothing changed"), std::string::npos);
  evidence.Add(TestEntry(61, "bench.coll", CollectiveBody("all_reduce", 1e9, 0)));
  const std::string table = RenderTable(Assess(evidence), false);
  EXPECT_NE(table.find("▼ all_reduce peak bus bandwidth: 4.00 GB/s → 1.00 GB/s"), std::string::npos) << table;
}

}  // namespace
}  // namespace ashlar::assess
