#include "node/nhc/plan.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

using base::StatusCode;

base::StatusOr<NhcPlan> Plan(const std::string& text) {
  return MakeNhcPlan({.path = "nhc.conf", .text = text, .host = "gpu-07"});
}

// The only line of a configuration.
NhcLine OnlyLine(const std::string& text) {
  const auto plan = Plan(text);
  EXPECT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->lines.size(), 1U) << text;
  return plan->lines.empty() ? NhcLine{} : plan->lines[0];
}

struct LineCase {
  std::string text;
  NhcOutcome outcome;
  std::string says;
};

TEST(NhcPlan, WhatALineBecomes) {
  const std::vector<LineCase> cases = {
      {"* || check_hw_eth eth0", NhcOutcome::kCheck, "an interface eth0"},
      {"gpu-* || check_hw_physmem 1915071MB 1915071MB 5%", NhcOutcome::kCheck, "MemTotal: 1.8 TiB give or take 5 %"},
      {"{gpu-[01-16]} || check_hw_ib 400 mlx5_ib0:1", NhcOutcome::kCheck, "mlx5_ib0:1 ACTIVE, LinkUp, 400 Gb/s"},
      {"/^gpu-0[0-9]$/ || check_fs_free / 5%  # note", NhcOutcome::kCheck, "/ >= 5 % free"},
      {"!login* || check_ps_loadavg 24", NhcOutcome::kCheck, "< 24 over 1 min"},
      {"* || export MARK_OFFLINE=1 NHC_CHECK_ALL=0", NhcOutcome::kSetting, "MARK_OFFLINE, NHC_CHECK_ALL"},
      {"login* || rm -rf /", NhcOutcome::kOtherHost, "the target login* does not match gpu-07"},
      {"{gpu-[1-16]} || check_hw_eth eth0", NhcOutcome::kCheck, ""},
      {"{gpu-[1-9]} || check_hw_eth eth0", NhcOutcome::kOtherHost, "{gpu-[1-9]} does not match"},
      {"* || check_hw_eht eth0", NhcOutcome::kUnknown, "is it check_hw_eth?"},
      {"* || /opt/site/check.sh", NhcOutcome::kUnknown, "a site's own script"},
      {"* || check_cmd_output -m x uptime", NhcOutcome::kUnknown, "a check of NHC that is not done here"},
      {"* || check_gpu_bw 48 335", NhcOutcome::kUnknown, "nvbandwidth"},
      {"* || check_nccl_allreduce 460.0 1 16G $AZ_NHC_ROOT/topo.xml", NhcOutcome::kUnknown, "all_reduce_perf"},
      {"* || check_hw_eth", NhcOutcome::kUnknown, "check_hw_eth: want INTERFACE"},
      {"* || check_fs_free / 5", NhcOutcome::kCheck, "5 KiB free"},
      {"* || check_fs_free / 5percent", NhcOutcome::kUnknown, "check_fs_free: \"5percent\" is no size"},
      {"* || check_ps_loadavg $((2*HW_CORES))", NhcOutcome::kUnknown, "arithmetic"},
      {"* || check_hw_eth $(cat /etc/eth)", NhcOutcome::kUnknown, "command substitution"},
      {"* || check_hw_eth eth0 || check_hw_eth eth1", NhcOutcome::kUnknown, "|| list"},
      {"* || check_hw_eth $ETH", NhcOutcome::kUnknown, "$ETH is not set"},
      {"check_hw_eth eth0", NhcOutcome::kUnknown, "it has no ||"},
      {"* | check_hw_eth eth0", NhcOutcome::kUnknown, "it has no ||"},
      {"|| check_hw_eth eth0", NhcOutcome::kUnknown, "no target"},
      {"* ||", NhcOutcome::kUnknown, "no check"},
      {"* || # check_hw_eth eth0", NhcOutcome::kUnknown, "it holds no check"},
      {"{gpu-[1,2]} || check_hw_eth eth0", NhcOutcome::kUnknown, "commas inside the brackets"},
      {"/gpu-(/ || check_hw_eth eth0", NhcOutcome::kUnknown, "no regular expression"},
      {"%gpus% || check_hw_eth eth0", NhcOutcome::kUnknown, "another program"},
      {"* || check_hw_eth eth0\r", NhcOutcome::kUnknown, "carriage return"},
      {"* || check_hw_eth \xff", NhcOutcome::kUnknown, "not UTF-8"},
      {"* || export DF_FLAGS=-Tkal", NhcOutcome::kUnknown, "DF_FLAGS has NHC read something else"},
      {"* || export HOSTNAME=other", NhcOutcome::kUnknown, "HOSTNAME has NHC read something else"},
      {"* || 'check_hw_eth' 'eth0'", NhcOutcome::kCheck, "eth0"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.text);
    const NhcLine line = OnlyLine(row.text + "\n");
    EXPECT_EQ(NhcOutcomeName(line.outcome), NhcOutcomeName(row.outcome)) << line.says;
    EXPECT_NE(line.says.find(row.says), std::string::npos) << line.says;
    EXPECT_FALSE(line.says.empty());
    EXPECT_TRUE(base::IsUtf8(line.text));
    EXPECT_EQ(line.check.run != nullptr, row.outcome == NhcOutcome::kCheck);
  }
}

TEST(NhcPlan, NamesNumbersAndTargets) {
  const auto plan =
      Plan("# note\n\n  * || check_hw_eth \\\n eth0\nlogin1 || export A=1\n  # more\n*||check_gpu_count 8");
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->lines.size(), 3U);
  EXPECT_EQ(plan->lines[0].number, 3U);
  EXPECT_EQ(plan->lines[0].name, "check_hw_eth");
  EXPECT_EQ(plan->lines[0].target, "*");
  EXPECT_EQ(plan->lines[1].number, 5U);
  EXPECT_EQ(plan->lines[1].target, "login1");
  EXPECT_EQ(plan->lines[2].number, 7U);
  EXPECT_EQ(plan->lines[2].text, "*||check_gpu_count 8");
  EXPECT_EQ(plan->Count(NhcOutcome::kCheck), 2U);
  EXPECT_EQ(plan->Count(NhcOutcome::kOtherHost), 1U);
  EXPECT_EQ(plan->Count(NhcOutcome::kSetting), 0U);
}

TEST(NhcPlan, VariablesAreThoseOfLinesForThisHostAbove) {
  const auto plan = Plan(
      "login* || export ETH=eth9\n* || check_hw_eth $ETH\n* || ETH=eth0\n* || check_hw_eth ${ETH}\n* || ETH=$ETH.5\n"
      "* || check_hw_eth \"$ETH\"\n");
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->lines[1].outcome, NhcOutcome::kUnknown);
  EXPECT_EQ(plan->lines[3].says, "/proc/net/dev: an interface eth0");
  EXPECT_EQ(plan->lines[5].says, "/proc/net/dev: an interface eth0.5");
}

TEST(NhcPlan, AFileWithoutLines) {
  const auto plan = Plan("");
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan->lines.empty());
}

std::string Repeated(const std::string& line, size_t times) {
  std::string text;
  for (size_t count = 0; count < times; ++count) text += line;
  return text;
}

TEST(NhcPlan, SizesAtAndOverTheLimit) {
  // Comments as long as they may be: 128 lines are 1 MiB.
  const std::string comment = "#" + std::string(kMaxNhcLineBytes - 2, 'x') + "\n";
  EXPECT_TRUE(Plan(Repeated(comment, kMaxNhcConf.count / comment.size())).ok());
  EXPECT_EQ(Plan(Repeated(comment, kMaxNhcConf.count / comment.size()) + "#").status().code(),
            StatusCode::kResourceExhausted);

  EXPECT_TRUE(Plan(Repeated("#\n", kMaxNhcLines)).ok());
  EXPECT_EQ(Plan(Repeated("#\n", kMaxNhcLines + 1)).status().code(), StatusCode::kResourceExhausted);

  const auto most = Plan(Repeated("*||check_hw_eth e\n", kMaxNhcChecks));
  ASSERT_TRUE(most.ok());
  EXPECT_EQ(most->Count(NhcOutcome::kCheck), kMaxNhcChecks);
  EXPECT_EQ(Plan(Repeated("*||check_hw_eth e\n", kMaxNhcChecks + 1)).status().code(), StatusCode::kResourceExhausted);

  const auto long_line = Plan("* || check_hw_eth " + std::string(kMaxNhcLineBytes, 'e') + "\n");
  ASSERT_TRUE(long_line.ok());
  EXPECT_EQ(long_line->lines[0].outcome, NhcOutcome::kUnknown);
  EXPECT_NE(long_line->lines[0].says.find("longer than 8192 bytes"), std::string::npos);
}

TEST(NhcPlan, VariablesAtAndOverTheLimit) {
  std::string text;
  for (size_t index = 0; index < kMaxNhcVariables; ++index) text += fmt::format("* || V{}=1\n", index);
  const auto plan = Plan(text + "* || V0=2\n* || MORE=1\n");
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->Count(NhcOutcome::kSetting), kMaxNhcVariables + 1);
  EXPECT_EQ(plan->lines.back().outcome, NhcOutcome::kUnknown);
  EXPECT_NE(plan->lines.back().says.find("more than 256 variables"), std::string::npos);
}

}  // namespace
}  // namespace ashlar::node
