#include "node/nhc/plan_report.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

using base::Verdict;

NhcPlan Plan(const std::string& text) {
  const auto plan = MakeNhcPlan({.path = "nhc.conf", .text = text, .host = "gpu-07"});
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *plan;
}

TEST(NhcPlanReport, LineByLine) {
  const NhcPlan plan =
      Plan("# note\n* || export A=1\n* || check_hw_eth eth0\nlogin* || check_hw_gm x\n* || check_hw_gm x\n");
  EXPECT_EQ(FormatNhcPlan(plan),
            "     2  setting * || export A=1\n"
            "                A: kept for later lines; NHC's own settings change nothing here\n"
            "     3  check   * || check_hw_eth eth0\n"
            "                /proc/net/dev: an interface eth0\n"
            "     4  n/a     login* || check_hw_gm x\n"
            "                the target login* does not match gpu-07\n"
            "     5  UNKNOWN * || check_hw_gm x\n"
            "                a check of NHC that is not done here: Myrinet GM is not read here: take the line out, or "
            "run NHC for it\n"
            "nhc.conf for gpu-07: checks 1, settings 1, other hosts 1, unknown 1\n");
}

TEST(NhcPlanReport, NothingSteersTheTerminal) {
  const std::string text = FormatNhcPlan(Plan("* || check_hw_eth '\033[2J'\n"));
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text.find("?[2J"), std::string::npos);
}

TEST(NhcPlanReport, Json) {
  const base::Json json = NhcPlanToJson(Plan("* || check_hw_eth eth0\nlogin* || x\n"));
  EXPECT_EQ(base::WriteJson(json),
            R"({"conf":"nhc.conf","host":"gpu-07","lines":[{"line":1,"text":"* || check_hw_eth eth0","target":"*",)"
            R"("check":"check_hw_eth","outcome":"check","says":"/proc/net/dev: an interface eth0"},)"
            R"({"line":2,"text":"login* || x","target":"login*","check":"","outcome":"not_applicable",)"
            R"("says":"the target login* does not match gpu-07"}]})");
}

TEST(NhcPlanReport, VerdictOfAPlan) {
  EXPECT_EQ(NhcPlanVerdict(Plan("* || check_hw_eth eth0\nlogin* || x\n* || A=1\n")), Verdict::kPass);
  EXPECT_EQ(NhcPlanVerdict(Plan("* || check_hw_eth eth0\n* || check_hw_gm x\n")), Verdict::kUnknown);
  EXPECT_EQ(NhcPlanVerdict(Plan("login* || check_hw_eth eth0\n")), Verdict::kUnknown);
  EXPECT_EQ(NhcPlanVerdict(Plan("")), Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::node
