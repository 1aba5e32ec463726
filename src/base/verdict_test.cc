#include "base/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ashlar::base {
namespace {

using ::testing::HasSubstr;

Finding Example() {
  return {.id = "memory-amount",
          .verdict = Verdict::kFail,
          .value = 8,
          .unit = "bytes",
          .expectation = ">= 16",
          .expectation_source = "node/expectations.yaml: memory",
          .read_from = "/proc/meminfo",
          .grade = EvidenceGrade::kExercised,
          .reason = "too little"};
}

TEST(VerdictTest, NamesAndExitStatusesAreThoseOfTheDesign) {
  struct Row {
    Verdict verdict;
    const char* name;
    ExitStatus exit_status;
  };
  const Row rows[] = {
      {Verdict::kPass, "pass", ExitStatus::kPass},
      {Verdict::kFail, "fail", ExitStatus::kFallsShort},
      {Verdict::kUnknown, "unknown", ExitStatus::kCouldNotRun},
      {Verdict::kNotApplicable, "not_applicable", ExitStatus::kPass},
      {Verdict::kConflict, "conflict", ExitStatus::kFallsShort},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(VerdictName(row.verdict), row.name);
    EXPECT_EQ(*ParseVerdict(row.name), row.verdict);
    EXPECT_EQ(ExitStatusOf(row.verdict), row.exit_status);
  }
  for (const char* name : {"", "PASS", "ok", "pass "}) {
    EXPECT_EQ(ParseVerdict(name).status().code(), StatusCode::kInvalidArgument) << name;
  }
}

TEST(VerdictTest, GradesHaveNames) {
  EXPECT_EQ(*ParseEvidenceGrade("declared"), EvidenceGrade::kDeclared);
  EXPECT_EQ(*ParseEvidenceGrade("measured"), EvidenceGrade::kMeasured);
  EXPECT_EQ(*ParseEvidenceGrade("exercised"), EvidenceGrade::kExercised);
  EXPECT_EQ(EvidenceGradeName(EvidenceGrade::kExercised), "exercised");
  EXPECT_EQ(ParseEvidenceGrade("proven").status().code(), StatusCode::kInvalidArgument);
}

TEST(FindingTest, IsReadAsItWasWritten) {
  const Json json = FindingToJson(Example());
  EXPECT_EQ(WriteJson(json), R"({"id":"memory-amount","verdict":"fail","value":8,"unit":"bytes","expectation":">= 16",)"
                             R"("expectation_source":"node/expectations.yaml: memory","read_from":"/proc/meminfo",)"
                             R"("grade":"exercised","reason":"too little"})");
  const auto finding = FindingFromJson(json);
  ASSERT_TRUE(finding.ok()) << finding.status();
  EXPECT_EQ(FindingToJson(*finding), json);
}

TEST(FindingTest, RefusesAFieldThatIsMissingOrWrong) {
  const Json whole = FindingToJson(Example());
  for (const auto& member : whole.get_object()) {
    Json without = whole;
    without.get_object().erase(member.key());
    const auto missing = FindingFromJson(without);
    EXPECT_EQ(missing.status().code(), StatusCode::kInvalidArgument) << member.key();
    EXPECT_THAT(Message(missing.status()), HasSubstr(std::string(member.key())));
    if (member.key() == "value") continue;  // may be of any type
    Json wrong = whole;
    wrong.get_object()[member.key()] = 1;
    EXPECT_EQ(FindingFromJson(wrong).status().code(), StatusCode::kInvalidArgument) << member.key();
  }
  EXPECT_EQ(FindingFromJson(Json("text")).status().code(), StatusCode::kInvalidArgument);
}

TEST(WorstVerdictTest, NothingIsUnknownAndFailIsWorst) {
  EXPECT_EQ(WorstVerdict({}), Verdict::kUnknown);
  // From the worst to the best: fail, conflict, unknown, pass, not applicable.
  std::vector<Finding> findings;
  for (const Verdict verdict :
       {Verdict::kNotApplicable, Verdict::kPass, Verdict::kUnknown, Verdict::kConflict, Verdict::kFail}) {
    findings.insert(findings.begin(), Finding{.id = "x", .verdict = verdict});
    EXPECT_EQ(WorstVerdict(findings), verdict) << VerdictName(verdict);
  }
  EXPECT_EQ(Finding().verdict, Verdict::kUnknown) << "a finding that nobody filled in is no pass";
}

// A ledger takes canonical JSON only (RFC 8785): what the kernel or a driver said may be no UTF-8 and beyond 2^53.
TEST(FindingTest, HostileReadingsCanStillBeStored) {
  Finding finding;
  finding.id = "disk-\xFF";
  finding.reason = "/sys/x: \"\xC3(\" is no whole number";
  finding.read_from = "/sys/\xFE";
  finding.value = JsonObject{{"k\xFF", JsonArray{"a\xFF", uint64_t{18446744073709551615U}, int64_t{-9007199254740993}}},
                             {"rate", std::numeric_limits<double>::infinity()}};
  const Json json = FindingToJson(finding);
  const auto canonical = CanonicalJson(json);
  ASSERT_TRUE(canonical.ok()) << canonical.status();
  EXPECT_EQ(GetString(json, "reason").value(), "/sys/x: \"?(\" is no whole number");
  const auto read = FindingFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace ashlar::base
