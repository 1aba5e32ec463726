#include "node/checks/finding.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

using base::Verdict;

TEST(Finding, IsUnknownUntilAVerdictIsGiven) {
  base::Finding finding = StartFinding({"swap", "/proc/meminfo", "bytes"});
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.id, "swap");
  EXPECT_EQ(finding.read_from, "/proc/meminfo");
  EXPECT_EQ(finding.unit, "bytes");
  Expect(finding, "<= 1", "file: key");
  EXPECT_EQ(finding.expectation, "<= 1");
  EXPECT_EQ(finding.expectation_source, "file: key");
  EXPECT_EQ(Pass(finding).verdict, Verdict::kPass);
  EXPECT_EQ(Fail(finding, "why").verdict, Verdict::kFail);
  EXPECT_EQ(Fail(finding, "why").reason, "why");
  EXPECT_EQ(DoesNotApply(finding, "why").verdict, Verdict::kNotApplicable);
  EXPECT_EQ(CannotTell(finding, base::Error(base::StatusCode::kInternal, "broken")).reason, "broken");
}

TEST(Finding, NamesForOneLine) {
  EXPECT_EQ(FewNames({}), "");
  EXPECT_EQ(FewNames({"a", "b", "c", "d"}), "a, b, c, d");
  EXPECT_EQ(FewNames({"a", "b", "c", "d", "e", "f"}), "a, b, c, d and 2 more");
  EXPECT_EQ(base::WriteJson(NamesToJson({"a", "b"})), "[\"a\",\"b\"]");
}

TEST(Finding, Patterns) {
  EXPECT_TRUE(MatchesAny({"x", "veth*"}, "veth0"));
  EXPECT_FALSE(MatchesAny({"x", "veth*"}, "eth0"));
  EXPECT_FALSE(MatchesAny({}, ""));
}

TEST(Finding, PerCent) {
  EXPECT_EQ(Percent(0.0534), "5.3 %");
  EXPECT_EQ(Percent(0.05), "5 %");
  EXPECT_EQ(Percent(1), "100 %");
}

}  // namespace
}  // namespace ashlar::node
