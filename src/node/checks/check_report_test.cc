#include "node/checks/check_report.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

using base::Verdict;

base::Finding Make(std::string id, Verdict verdict, base::Json value, std::string unit = "") {
  base::Finding finding;
  finding.id = std::move(id);
  finding.verdict = verdict;
  finding.value = std::move(value);
  finding.unit = std::move(unit);
  return finding;
}

struct ValueCase {
  base::Json value;
  std::string unit;
  std::string text;
};

TEST(CheckReport, Values) {
  const std::vector<ValueCase> cases = {
      {nullptr, "", "-"},
      {"/tmp", "", "/tmp"},
      {true, "", "yes"},
      {false, "", "no"},
      {8, "GPUs", "8 GPUs"},
      {0.0534, "share", "5.3 %"},
      {uint64_t{25'234'178'048}, "bytes", "23.5 GiB"},
      {0.02, "seconds", "20.0 ms"},
      {1.2345, "per processor", "1.23 per processor"},
      {base::JsonArray{}, "", "none"},
      {base::JsonArray{"eth0 up", "eth1 up"}, "", "eth0 up, eth1 up"},
      {base::JsonArray{base::JsonObject{{"id", "xid-79"}}, base::JsonObject{{"id", "xid-48"}}}, "", "xid-79, xid-48"},
      {"a\033[31mb\n", "", "a [31mb "},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(FindingValueText(Make("x", Verdict::kPass, row.value, row.unit)), row.text);
  }
}

TEST(CheckReport, OneAlignedLineForAPass) {
  auto finding = Make("memory-amount", Verdict::kPass, uint64_t{25'234'178'048}, "bytes");
  finding.expectation = ">= 22.9 GiB";
  EXPECT_EQ(FormatFinding(finding, {}), "pass     memory-amount                23.5 GiB           >= 22.9 GiB\n");
}

TEST(CheckReport, TheReasonStandsBelowAndNoLineIsWiderThanEighty) {
  auto finding = Make("transparent-huge-pages", Verdict::kFail, "never");
  finding.expectation = "a long expectation that does not fit beside the value at all";
  finding.reason =
      "set it: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (and the same on the command line)";
  const std::string text = FormatFinding(finding, {});
  EXPECT_EQ(text,
            "fail     transparent-huge-pages       never\n"
            "         expected: a long expectation that does not fit beside the value at all\n"
            "         set it: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (and\n"
            "         the same on the command line)\n");
  for (const auto line : base::SplitLines(text)) EXPECT_LE(line.size(), 80U);
}

TEST(CheckReport, AValueThatIsTooLongGoesBelow) {
  const std::string value = "eth0 up 100 Gb/s, eth1 up 100 Gb/s, eth2 up 100 Gb/s, eth3 up 100 Gb/s and 4 more";
  const std::string text = FormatFinding(Make("network-links", Verdict::kPass, base::Json(value)), {});
  EXPECT_EQ(text,
            "pass     network-links\n"
            "         eth0 up 100 Gb/s, eth1 up 100 Gb/s, eth2 up 100 Gb/s, eth3 up 100 Gb/s\n"
            "         and 4 more\n");
}

TEST(CheckReport, ColourOnlyWhenAskedFor) {
  const auto finding = Make("swap", Verdict::kFail, nullptr);
  EXPECT_EQ(FormatFinding(finding, {}).find('\033'), std::string::npos);
  EXPECT_NE(FormatFinding(finding, {.colour = true}).find("\033[1;31m"), std::string::npos);
}

TEST(CheckReport, ControlCharactersOfWhatWasReadDoNotReachTheTerminal) {
  auto finding = Make("swap", Verdict::kFail, "a\033]0;title\007");
  finding.reason = "text\033[2J of a log";
  EXPECT_EQ(FormatFinding(finding, {}).find('\033'), std::string::npos);
  EXPECT_EQ(FormatFinding(finding, {}).find('\007'), std::string::npos);
}

TEST(CheckReport, SummaryNamesWhatIsNotWell) {
  const std::vector<base::Finding> findings = {
      Make("a", Verdict::kPass, nullptr), Make("dns", Verdict::kFail, nullptr), Make("swap", Verdict::kFail, nullptr),
      Make("memory-errors", Verdict::kUnknown, nullptr), Make("gpu-count", Verdict::kNotApplicable, nullptr)};
  EXPECT_EQ(FormatCheckSummary(findings),
            "FAIL: 1 pass, 2 fail (dns, swap), 1 unknown (memory-errors), 1 not applicable");
  EXPECT_EQ(FormatCheckSummary({}), "UNKNOWN: 0 pass, 0 fail, 0 unknown, 0 not applicable");
}

TEST(CheckReport, JsonHoldsTheVerdictAndEveryFinding) {
  const std::vector<base::Finding> findings = {Make("a", Verdict::kPass, 1), Make("b", Verdict::kUnknown, nullptr)};
  const auto json = ChecksToJson(findings);
  EXPECT_EQ(*base::GetString(json, "verdict"), "unknown");
  const auto& array = base::Find(json, "findings")->get_array();
  ASSERT_EQ(array.size(), 2U);
  EXPECT_TRUE(base::FindingFromJson(array[1]).ok());
}

}  // namespace
}  // namespace ashlar::node
