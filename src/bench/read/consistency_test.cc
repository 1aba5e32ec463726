#include "bench/read/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bench/read/reader.h"

namespace ashlar::bench {
namespace {

using base::Finding;
using base::Verdict;
using ::testing::HasSubstr;

std::string Sample() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log",
                           {base::kMiB})
      .value();
}

std::string Replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& edits) {
  for (const auto& [from, to] : edits) {
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  }
  return text;
}

Finding FindingOf(const std::string& text, const std::string& id) {
  const auto runs = ReadText(text, "a.log");
  if (runs.size() != 1) return {.id = id, .reason = fmt::format("{} runs", runs.size())};
  for (const Finding& finding : runs[0].findings) {
    if (finding.id == id) return finding;
  }
  return {.id = id, .reason = "no such finding"};
}

TEST(CheckConsistencyTest, AWholeRunPassesEverything) {
  for (const char* id : {"read-complete", "read-bandwidth", "read-ranks", "read-average", "read-correct"}) {
    const Finding finding = FindingOf(Sample(), id);
    EXPECT_EQ(finding.verdict, Verdict::kPass) << id << ": " << finding.reason;
    EXPECT_EQ(finding.read_from, "a.log:1-20");
  }
  EXPECT_EQ(FindingOf(Sample(), "read-ranks").value, 4);
}

struct FaultCase {
  const char* name;
  std::vector<std::pair<std::string, std::string>> edits;
  const char* id;
  const char* reason;
  Verdict verdict = Verdict::kUnknown;
};

class FaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(FaultTest, IsFoundAndNamed) {
  const Finding finding = FindingOf(Replaced(Sample(), GetParam().edits), GetParam().id);
  EXPECT_EQ(finding.verdict, GetParam().verdict) << GetParam().name << ": " << finding.reason;
  EXPECT_THAT(finding.reason, HasSubstr(GetParam().reason)) << GetParam().name;
}

const char* const kMiddleRow =
    "     2097152        524288     float     sum      -1   150.00   13.98   20.97       0   160.00   13.11   19.66    "
    "   0\n";
const char* const kLastRow =
    "     4194304       1048576     float     sum      -1   250.00   16.78   25.17       0   260.00   16.13   24.20    "
    "   0\n";

INSTANTIATE_TEST_SUITE_P(
    Complete, FaultTest,
    testing::Values(
        FaultCase{"a size is missing", {{kMiddleRow, ""}}, "read-complete", "where 2097152 was asked for"},
        FaultCase{"the last size is missing", {{kLastRow, ""}}, "read-complete", "4194304 bytes (float) was asked for"},
        FaultCase{"no footer", {{"# Avg bus", "# nothing"}}, "read-complete", "the footer is missing"},
        FaultCase{"no header", {{"# nThread", "# n"}}, "read-complete", "does not say which sizes"},
        FaultCase{"no end to the sizes", {{"step: 2(factor)", "step: 1(factor)"}}, "read-complete", "does not say"},
        FaultCase{"a row twice", {{kLastRow, std::string(kLastRow) + kLastRow}}, "read-complete", "was not asked for"},
        FaultCase{"an error", {{"# Out of", "# error: x\n# Out of"}}, "read-complete", "error: x"}));

INSTANTIATE_TEST_SUITE_P(Bandwidth, FaultTest,
                         testing::Values(
                             // 1048576 bytes in 100 µs are 10.49 GB/s; as 0.1 the time would be in ms.
                             FaultCase{"ms for µs",
                                       {{" 100.00", " 0.1000"},
                                        {" 110.00", " 0.1100"},
                                        {" 150.00", " 0.1500"},
                                        {" 160.00", " 0.1600"},
                                        {" 250.00", " 0.2500"},
                                        {" 260.00", " 0.2600"}},
                                       "read-bandwidth",
                                       "in milliseconds"},
                             FaultCase{"one row", {{"13.98", "14.98"}}, "read-bandwidth", "line 15 is impossible"},
                             // 10.49 * 8 = 83.9, 9.5325 * 8 = 76.26, 13.981 * 8 = 111.8, 13.1072 * 8 = 104.9, 16.777 *
                             // 8 = 134.2, 16.132 * 8 = 129.1
                             FaultCase{"Gb for GB",
                                       {{"10.49", "83.89"},
                                        {" 9.53", "76.26"},
                                        {"13.98", "111.8"},
                                        {"13.11", "104.9"},
                                        {"16.78", "134.2"},
                                        {"16.13", "129.1"}},
                                       "read-bandwidth",
                                       "Gb/s"},
                             // divided by 1.073741824
                             FaultCase{"GiB for GB",
                                       {{"10.49", " 9.77"},
                                        {" 9.53", " 8.88"},
                                        {"13.98", "13.02"},
                                        {"13.11", "12.21"},
                                        {"16.78", "15.62"},
                                        {"16.13", "15.02"}},
                                       "read-bandwidth",
                                       "GiB/s"}));

INSTANTIATE_TEST_SUITE_P(
    Ranks, FaultTest,
    testing::Values(
        FaultCase{"another number of ranks",
                  {{"#  Rank  3 Group  0 Pid   4711 on     node-1 device  3 [0008:00:00] NVIDIA Test GPU\n", ""},
                   {"nGpus 4", "nGpus 1"}},
                  "read-ranks",
                  "those of 4 ranks, 3 are listed"},
        FaultCase{"copies without MPI",
                  {{"Rank  1", "Rank  0"}, {"Rank  2", "Rank  0"}, {"Rank  3", "Rank  0"}},
                  "read-ranks",
                  "4 copies of the program"},
        FaultCase{"a rank is missing", {{"Rank  1", "Rank  7"}}, "read-ranks", "the list is cut"},
        FaultCase{"processes of another size", {{"nGpus 4", "nGpus 3"}}, "read-ranks", "do not divide"},
        FaultCase{"no list", {{"#  Rank", "#  rnk"}}, "read-ranks", "names no ranks"},
        FaultCase{"an unknown test",
                  {{"starting: all_reduce_perf", "starting: hypercube_perf"}},
                  "read-ranks",
                  "is not known"},
        // busbw / algbw of 1.5 is impossible for an all_gather.
        FaultCase{
            "another test", {{"starting: all_reduce_perf", "starting: all_gather_perf"}}, "read-ranks", "contradict"}));

INSTANTIATE_TEST_SUITE_P(
    AverageAndCorrect, FaultTest,
    testing::Values(
        FaultCase{"average of other rows", {{"20.0039", "21.0039"}}, "read-average", "the rows average 20.0"},
        FaultCase{"no average", {{"# Avg", "# avg"}}, "read-average", "missing"},
        FaultCase{"wrong elements",
                  {{"20.97       0", "20.97       3"}},
                  "read-correct",
                  "line 15: 3 elements of 2097152 bytes",
                  Verdict::kFail},
        FaultCase{"out of bounds", {{"values : 0 OK", "values : 2 FAILED"}}, "read-correct", "footer", Verdict::kFail},
        FaultCase{"checking was off",
                  {{"       0   1", "     N/A   1"}, {"       0   2", "     N/A   2"}},
                  "read-correct",
                  "not checked"},
        FaultCase{"validation 0", {{"validation: 1", "validation: 0"}}, "read-correct", "not checked"},
        FaultCase{"no footer", {{"# Out of", "# out of"}}, "read-correct", "missing"}));

TEST(CheckConsistencyTest, ATestWithoutANameIsKnownByItsFigures) {
  const Finding finding =
      FindingOf(Replaced(Sample(), {{"# Collective test starting: all_reduce_perf\n", ""}}), "read-ranks");
  EXPECT_EQ(finding.verdict, Verdict::kPass) << finding.reason;
}

TEST(BusFactorOfTest, TakesTheNamesPeopleUse) {
  EXPECT_EQ(BusFactorOf("all_reduce"), BusFactor::kTwiceRing);
  EXPECT_EQ(BusFactorOf("AllReduce"), BusFactor::kTwiceRing);
  EXPECT_EQ(BusFactorOf("all_gather_perf"), BusFactor::kRing);
  EXPECT_EQ(BusFactorOf("alltoall"), BusFactor::kRing);
  EXPECT_EQ(BusFactorOf("sendrecv_perf"), BusFactor::kOne);
  EXPECT_EQ(BusFactorOf("alltoallv"), std::nullopt);
  EXPECT_EQ(BusFactorOf(""), std::nullopt);
}

CollectiveTable OneRow(const char* algbw, const char* busbw) {
  CollectiveTable run;
  run.rows.push_back(
      {.size_bytes = 1,
       .placements = {{.time = ParsePrinted("1"), .algbw = ParsePrinted(algbw), .busbw = ParsePrinted(busbw)}}});
  return run;
}

TEST(RanksFromBandwidthsTest, InvertsTheFormula) {
  // 2(n-1)/n = 1.75 for n = 8: n = 2/(2-r). From 134.44 and 235.26, rounded to hundredths.
  const auto eight = RanksFromBandwidths(OneRow("134.44", "235.26"), BusFactor::kTwiceRing);
  ASSERT_TRUE(eight);
  EXPECT_TRUE(eight->Contains(8));
  EXPECT_FALSE(eight->Contains(7));
  EXPECT_FALSE(eight->Contains(9));
  // A published row of factor 0.997: no n of 2 or more gives an all_reduce below 1.
  EXPECT_FALSE(RanksFromBandwidths(OneRow("939.58", "936.93"), BusFactor::kTwiceRing));
  // 1.979 is 96 ranks: 2 * 95 / 96 = 1.97917.
  const auto many = RanksFromBandwidths(OneRow("200.00", "395.83"), BusFactor::kTwiceRing);
  ASSERT_TRUE(many);
  EXPECT_TRUE(many->Contains(96));
  EXPECT_FALSE(many->Contains(64));
  // Figures that are rounded to nothing say nothing.
  const auto nothing = RanksFromBandwidths(OneRow("0.00", "0.00"), BusFactor::kRing);
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(std::isinf(nothing->high));
  EXPECT_FALSE(RanksFromBandwidths(OneRow("10.00", "11.00"), BusFactor::kOne));
}

TEST(ReadTextTest, ALogThatIsCutAtAnyLineNeverPasses) {
  const std::string text = Sample();
  const auto lines = base::SplitLines(text);
  std::string head;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    head += std::string(lines[i]) + "\n";
    const auto runs = ReadText(head, "cut.log");
    // The last two lines are a blank comment and a repetition.
    if (i >= 17) continue;
    if (runs.empty()) continue;
    ASSERT_EQ(runs.size(), 1U) << i;
    EXPECT_EQ(base::WorstVerdict(runs[0].findings), Verdict::kUnknown) << i;
    EXPECT_LE(runs[0].collective->rows.size(), 3U);
  }
}

TEST(ReadTextTest, ALogThatIsCutAtAnyByteNeverPasses) {
  const std::string text = Sample();
  const size_t whole = text.find("20.0039");
  for (size_t length = 0; length < whole; ++length) {
    for (const RunRecord& run : ReadText(std::string_view(text).substr(0, length), "cut.log")) {
      EXPECT_NE(base::WorstVerdict(run.findings), Verdict::kPass) << length;
    }
  }
}

}  // namespace
}  // namespace ashlar::bench
