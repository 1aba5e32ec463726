#include "assess/report/html_evidence.h"

#include <gtest/gtest.h>

#include "assess/evidence_testing.h"

namespace ashlar::assess {
namespace {

TEST(HtmlEvidenceTest, NothingMeasuredShowsNothing) {
  const Evidence evidence = NoEvidence();
  EXPECT_EQ(MachineFacts(evidence), "");
  EXPECT_EQ(BandwidthSection(evidence), "");
  EXPECT_EQ(StorageSection(evidence), "");
  EXPECT_EQ(CheckSection(evidence), "");
}

TEST(HtmlEvidenceTest, CachedStorageSaysSo) {
  Evidence evidence = NoEvidence();
  evidence.Add(TestEntry(0, "bench.storage", R"({"runs": [], "direct": false, "direct_reason": "tmpfs refuses it"})"));
  EXPECT_NE(StorageSection(evidence).find("through the page cache: tmpfs refuses it"), std::string::npos);
}

TEST(HtmlEvidenceTest, NewestRunOfACollectiveIsShown) {
  Evidence evidence = NoEvidence();
  evidence.Add(TestEntry(0, "bench.coll", CollectiveBody("all_reduce", 1e9, 0)));
  evidence.Add(TestEntry(1, "bench.coll", CollectiveBody("all_reduce", 3e9, 0)));
  const std::string section = BandwidthSection(evidence);
  EXPECT_NE(section.find("3.00 GB/s"), std::string::npos);
  EXPECT_EQ(section.find("1.00 GB/s</td>"), std::string::npos);
}

TEST(HtmlEvidenceTest, VerdictsAreWordsAsWellAsColours) {
  EXPECT_EQ(VerdictSpan(base::Verdict::kFail), "<span class=\"verdict fail\">✗ FAIL</span>");
  EXPECT_EQ(VerdictSpan(base::Verdict::kNotApplicable), "<span class=\"verdict na\">– n/a</span>");
}

}  // namespace
}  // namespace ashlar::assess
