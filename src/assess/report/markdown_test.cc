#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

TEST(MarkdownTest, OneRowForEachConsideration) {
  const std::string text = RenderMarkdown(Assess(HealthyMachine()));
  for (const Consideration* consideration : Considerations()) {
    EXPECT_NE(text.find(fmt::format("| `{}` |", consideration->id)), std::string::npos) << consideration->id;
  }
  EXPECT_NE(text.find("| ✓ pass | `bench-nccl` |"), std::string::npos);
  EXPECT_EQ(text.find("What changed"), std::string::npos);
}

TEST(MarkdownTest, EvidenceCannotBreakTheTable) {
  Evidence evidence = NoEvidence();
  evidence.SetLedgerFacts({1, false, "a|b\n| x | <script> [link](http://x)"});
  const std::string text = RenderMarkdown(Assess(evidence));
  EXPECT_NE(text.find("a\\|b \\| x \\| \\<script\\> \\[link\\](http://x)"), std::string::npos) << text;
}

TEST(MarkdownTest, ListsChanges) {
  Evidence evidence = HealthyMachine();
  evidence.Add(TestEntry(60, "assess.scorecard", base::WriteJson(ScorecardToJson(Assess(evidence)))));
  evidence.Add(TestEntry(61, "bench.coll", CollectiveBody("all_reduce", 1e9, 0)));
  EXPECT_NE(RenderMarkdown(Assess(evidence)).find("| all\\_reduce peak bus bandwidth | 4.00 GB/s | 1.00 GB/s |"),
            std::string::npos);
}

}  // namespace
}  // namespace ashlar::assess
