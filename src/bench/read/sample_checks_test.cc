#include "bench/read/sample_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "bench/read/reader.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// A row of `size` bytes with figures of `half_step`.
Sample Row(uint64_t size, std::vector<std::pair<const char*, double>> figures, double half_step = 0.005) {
  Sample sample{.line = size, .labels = {{"size_bytes", size}}};
  for (const auto& [name, value] : figures) {
    sample.quantities.push_back({.name = name, .value = value, .unit = "s", .half_step = half_step});
  }
  return sample;
}

RunRecord Record(std::vector<Sample> samples) {
  return {.dialect = "osu",
          .source = {.path = "a.log", .first_line = 1, .last_line = 9},
          .samples = std::move(samples),
          .is_complete = true};
}

Finding FindingOf(const RunRecord& record, const std::string& id) {
  for (Finding& finding : CheckSamples(record)) {
    if (finding.id == id) return std::move(finding);
  }
  return {.id = id, .reason = "no such finding"};
}

TEST(CheckSamplesTest, AWholeRunPasses) {
  const RunRecord record = Record({Row(8, {{"time_min", 1}, {"time_avg", 2}, {"time_max", 3}}), Row(16, {})});
  ASSERT_THAT(CheckSamples(record), SizeIs(2));
  const Finding complete = FindingOf(record, "read-complete");
  EXPECT_EQ(complete.verdict, Verdict::kPass);
  EXPECT_EQ(complete.value, 2);
  EXPECT_EQ(complete.read_from, "a.log:1-9");
  EXPECT_EQ(FindingOf(record, "read-order").verdict, Verdict::kPass);
  EXPECT_EQ(FindingOf(record, "read-order").value, 4);  // three pairs of the first row, two sizes
}

TEST(CheckSamplesTest, ACollectivesTableIsNotItsBusiness) {
  RunRecord record = Record({});
  record.collective.emplace();
  EXPECT_THAT(CheckSamples(record), SizeIs(0));
}

TEST(CheckSamplesTest, WhatIsMissingOrDamagedIsUnknownWithItsReason) {
  RunRecord cut = Record({Row(8, {})});
  cut.is_complete = false;
  EXPECT_EQ(FindingOf(cut, "read-complete").verdict, Verdict::kUnknown);
  EXPECT_EQ(FindingOf(cut, "read-complete").reason, "nothing shows that it is whole after line 9");
  cut.notes.push_back({.line = 9, .text = "it stops at 8 bytes"});
  EXPECT_EQ(FindingOf(cut, "read-complete").reason, "nothing shows that it is whole after line 9: it stops at 8 bytes");
  RunRecord damaged = Record({Row(8, {})});
  damaged.notes.push_back({.line = 4, .text = "this is no whole row", .is_damage = true});
  EXPECT_EQ(FindingOf(damaged, "read-complete").reason, "line 4: this is no whole row");
  EXPECT_EQ(FindingOf(Record({}), "read-complete").verdict, Verdict::kUnknown);
  EXPECT_EQ(FindingOf(Record({}), "read-order").verdict, Verdict::kUnknown);
}

TEST(CheckSamplesTest, RowsWithoutAnOrderAreNotApplicable) {
  const RunRecord record = Record({{.line = 2, .labels = {{"row", 0}}, .quantities = {{.name = "bandwidth"}}}});
  EXPECT_EQ(FindingOf(record, "read-order").verdict, Verdict::kNotApplicable);
  EXPECT_EQ(base::WorstVerdict(CheckSamples(record)), Verdict::kPass);
}

struct OrderCase {
  const char* name;
  std::vector<std::pair<const char*, double>> figures;
  const char* reason;  // "" when it is possible
};

class OrderTest : public testing::TestWithParam<OrderCase> {};

TEST_P(OrderTest, IsHeldAgainstItself) {
  const Finding finding = FindingOf(Record({Row(8, GetParam().figures)}), "read-order");
  const bool is_possible = std::string_view(GetParam().reason).empty();
  EXPECT_EQ(finding.verdict, is_possible ? Verdict::kPass : Verdict::kUnknown) << GetParam().name;
  EXPECT_THAT(finding.reason, HasSubstr(GetParam().reason)) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Figures, OrderTest,
    testing::Values(
        OrderCase{
            "least above average", {{"time_min", 2.02}, {"time_avg", 2}}, "line 8 is impossible: time_min is 2.02"},
        OrderCase{"one step of rounding", {{"time_min", 2.01}, {"time_avg", 2}}, ""},
        OrderCase{"average above most", {{"time_avg", 4}, {"time_max", 3}}, "time_avg is 4 s and time_max is 3"},
        OrderCase{"least above most", {{"time_min", 4}, {"time_max", 3}}, "time_min"},
        OrderCase{"least above typical", {{"time_min", 4}, {"time_typical", 3}}, "time_typical"},
        OrderCase{"typical above 99 %", {{"time_typical", 4}, {"time_p99", 3}}, "time_p99"},
        OrderCase{"99 % above 99.9 %", {{"time_p99", 4}, {"time_p999", 3}}, "time_p999"},
        OrderCase{"99.9 % above most", {{"time_p999", 4}, {"time_max", 3}}, "time_max"},
        OrderCase{"equal percentiles", {{"time_p99", 4}, {"time_p999", 4}, {"time_max", 4}}, ""},
        OrderCase{"average above peak", {{"bandwidth_avg", 101}, {"bandwidth_peak", 100}}, "bandwidth_peak is 100"},
        // 1.5e-4 above, of which rounding explains 1e-4.
        OrderCase{"average a tick above peak", {{"bandwidth_avg", 100.015}, {"bandwidth_peak", 100}}, ""},
        OrderCase{"infinite", {{"time_avg", std::numeric_limits<double>::infinity()}}, "no finite number"}));

TEST(CheckSamplesTest, SizesAscendWithinOneSweep) {
  EXPECT_THAT(FindingOf(Record({Row(8, {}), Row(8, {})}), "read-order").reason,
              HasSubstr("line 8 has 8 bytes after 8"));
  EXPECT_EQ(FindingOf(Record({Row(16, {}), Row(8, {})}), "read-order").verdict, Verdict::kUnknown);
  Sample first = Row(8, {});
  first.labels["group"] = 0;
  Sample second = Row(8, {});
  second.labels["group"] = 1;
  Sample third = Row(16, {});
  third.labels["group"] = 0;
  EXPECT_EQ(FindingOf(Record({first, second, third}), "read-order").verdict, Verdict::kPass);
}

TEST(CheckSamplesTest, WrongResultsFail) {
  Sample right = Row(8, {});
  right.labels["validation"] = "Pass";
  Sample wrong = Row(16, {});
  wrong.labels["validation"] = "Fail";
  EXPECT_EQ(FindingOf(Record({right}), "read-correct").verdict, Verdict::kPass);
  EXPECT_EQ(FindingOf(Record({right, wrong}), "read-correct").verdict, Verdict::kFail);
  EXPECT_EQ(FindingOf(Record({right, Row(16, {})}), "read-correct").verdict, Verdict::kUnknown);
  EXPECT_EQ(FindingOf(Record({Row(8, {{"defects", 0}})}), "read-correct").verdict, Verdict::kPass);
  EXPECT_THAT(FindingOf(Record({Row(8, {{"defects", 0.01}})}), "read-correct").reason, HasSubstr("line 8"));
}

class CutTest : public testing::TestWithParam<const char*> {};

// Wherever the text is cut, it passes only while every row is there.
TEST_P(CutTest, NeverPassesWithoutAllItsRows) {
  const std::string path = std::string(ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/") + GetParam();
  const std::string text = os::ReadWholeFile(os::RealFileSystem(), path, {base::kMiB}).value();
  const auto rows_of = [](const std::vector<RunRecord>& runs) {
    std::string rows;
    for (const RunRecord& run : runs) rows += base::WriteJson(RunRecordToJson(run).at("samples"));
    return rows;
  };
  const auto verdict_of = [](const std::vector<RunRecord>& runs) {
    std::vector<Finding> all;
    for (const RunRecord& run : runs) all.insert(all.end(), run.findings.begin(), run.findings.end());
    return base::WorstVerdict(all);
  };
  const auto whole = ReadText(text, "whole.log");
  ASSERT_EQ(verdict_of(whole), Verdict::kPass);
  size_t passes = 0;
  for (size_t length = 0; length < text.size(); ++length) {
    const auto runs = ReadText(std::string_view(text).substr(0, length), "cut.log");
    if (verdict_of(runs) != Verdict::kPass) continue;
    ++passes;
    ASSERT_EQ(rows_of(runs), rows_of(whole)) << "cut after " << length << " bytes";
  }
  // Behind the last row there are line ends only, and IMB's closing line.
  EXPECT_LT(passes, 5U);
}

INSTANTIATE_TEST_SUITE_P(Logs, CutTest,
                         testing::Values("osu_allreduce_7_4.log", "imb_2021.log", "perftest_write_bw.log"));

}  // namespace
}  // namespace ashlar::bench
