#include <gtest/gtest.h>

#include "assess/evidence_testing.h"
#include "assess/report/report.h"

namespace ashlar::assess {
namespace {

size_t Count(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(JunitTest, SuitesCasesAndCountsAgree) {
  const std::string xml = RenderJunit(Assess(HealthyMachine()));
  EXPECT_EQ(Count(xml, "<testsuite "), 6U);
  EXPECT_EQ(Count(xml, "<testcase "), 38U);
  EXPECT_EQ(Count(xml, "<failure "), 0U);
  EXPECT_NE(xml.find("tests=\"38\" failures=\"0\""), std::string::npos);
  EXPECT_NE(xml.find("timestamp=\"2026-01-02T03:04:05\""), std::string::npos);
  EXPECT_EQ(Count(xml, "<skipped "),
            Count(xml, "<skipped message=\"unknown: ") + Count(xml, "<skipped message=\"not_applicable: "));
}

TEST(JunitTest, FailureCarriesReasonAndRemedyEscaped) {
  Evidence evidence = NoEvidence();
  evidence.SetLedgerFacts({1, false, "<entry> & \"7\"\x01"});
  const std::string xml = RenderJunit(Assess(evidence));
  EXPECT_EQ(Count(xml, "<failure type=\"fail\""), 1U);
  EXPECT_NE(xml.find("&lt;entry&gt; &amp; &quot;7&quot;\xEF\xBF\xBD"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::assess
