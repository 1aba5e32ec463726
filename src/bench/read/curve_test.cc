#include "bench/read/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ashlar::bench {
namespace {

using base::Verdict;
using ::testing::HasSubstr;

constexpr CurveLimits kLimits{.from_bytes = 1024, .dip_share = 0.2, .plateau_share = 0.85};

// Rows of 512 B, 1 KiB, 2 KiB, ... with these bus bandwidths in GB/s, on lines 10, 11, ...
RunRecord RunOf(const std::vector<double>& bandwidths) {
  RunRecord run;
  run.collective.emplace();
  uint64_t size = 512;
  for (const double busbw : bandwidths) {
    run.collective->rows.push_back(
        {.line = 10 + run.collective->rows.size(),
         .size_bytes = size,
         .type = "float",
         .placements = {{.time = PrintedNumber{.value = 35}, .busbw = PrintedNumber{.value = busbw}}}});
    size *= 2;
  }
  return run;
}

struct CurveCase {
  const char* name;
  std::vector<double> bandwidths;
  Verdict verdict;
  const char* reason;
};

class CurveTest : public testing::TestWithParam<CurveCase> {};

TEST_P(CurveTest, IsJudged) {
  const base::Finding finding = CheckCurve(RunOf(GetParam().bandwidths), kLimits);
  EXPECT_EQ(finding.verdict, GetParam().verdict) << GetParam().name << ": " << finding.reason;
  EXPECT_THAT(finding.reason, HasSubstr(GetParam().reason)) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, CurveTest,
    testing::Values(CurveCase{"rising to a plateau", {1, 10, 50, 90, 100, 101}, Verdict::kPass, ""},
                    CurveCase{"a dip", {1, 10, 50, 39, 100, 101}, Verdict::kFail, "line 13: 4 KiB reaches 39.00 GB/s"},
                    CurveCase{"at the limit of a dip", {1, 10, 50, 40, 100, 101}, Verdict::kPass, ""},
                    CurveCase{"small sizes are latency", {100, 10, 50, 90, 100}, Verdict::kPass, ""},
                    CurveCase{"falling at the end",
                              {1, 10, 50, 100, 95, 84.9},
                              Verdict::kFail,
                              "line 15: 16 KiB reaches 84.90 GB/s, 4 KiB reached 100.00"},
                    CurveCase{"at the limit of the end", {1, 10, 50, 100, 95, 85}, Verdict::kPass, ""},
                    CurveCase{"too few", {1, 10, 50}, Verdict::kNotApplicable, "fewer than 3"},
                    CurveCase{"none", {}, Verdict::kNotApplicable, "fewer than 3"}));

TEST(CheckCurveTest, GivesPlateauAndFloor) {
  const base::Finding finding = CheckCurve(RunOf({1, 10, 50, 90, 100, 101}), kLimits);
  EXPECT_EQ(finding.value.at("plateau_busbw_bytes_per_second"), 100e9);
  EXPECT_EQ(finding.value.at("floor_seconds"), 35e-6);
  EXPECT_EQ(CheckCurve(RunRecord(), kLimits).verdict, Verdict::kNotApplicable);
}

TEST(CurveLimitsOfTest, ReadsTheDataAndNamesWhatIsMissing) {
  const auto& limits = StandardCurveLimits();
  ASSERT_TRUE(limits.ok()) << limits.status();
  EXPECT_EQ(limits->from_bytes, base::kMiB);
  EXPECT_THAT(std::string(CurveLimitsOf(base::JsonObject{}).status().message()), HasSubstr("from_bytes"));
}

}  // namespace
}  // namespace ashlar::bench
