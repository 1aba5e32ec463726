#include "bench/read/dialects/nccl_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/read/reader.h"

namespace ashlar::bench {
namespace {

using base::Verdict;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// 4 ranks: 2 processes of 2 GPUs, of which the first is listed. 1048576 B / 100 µs = 10.48576 GB/s, times 1.5.
constexpr std::string_view kSample = R"({"version":3,"start_time":"2026-01-02 03:04:05","args":["all_reduce_perf"],
"env":["SECRET=hush"],"nccl_version":22703,"config":{"nthreads":1,"ngpus":2,"minimum_bytes":1048576,
"maximum_bytes":1048576,"step_factor":2,"warmup_iters":1,"iterations":20,"validation":1,"graph":0,
"devices":[{"rank":0,"group":0,"pid":7,"hostname":"a","device":0,"device_hex":"0001:00:00","device_info":"Test GPU"},
{"rank":2,"group":0,"pid":8,"hostname":"b","device":0,"device_hex":"0001:00:00","device_info":"Test GPU"}]},
"results":[{"size":1048576,"count":262144,"type":"float","redop":"sum","root":"    -1",
"out_of_place":{"time":100.000000,"alg_bw":10.485760,"bus_bw":15.728640,"nwrong":0.000000},
"in_place":{"time":100.000000,"alg_bw":10.485760,"bus_bw":15.728640,"nwrong":0.000000},"actual_iterations":20}],
"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":15.728640,"okay":"unchecked"},
"errors":[],"end_time":"2026-01-02 03:04:06"})";

std::string Replaced(std::string_view from, std::string_view to) {
  std::string text(kSample);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(NcclJsonTest, AWholeDocumentPasses) {
  const auto runs = ReadText(kSample, "a.json");
  ASSERT_THAT(runs, SizeIs(1));
  for (const base::Finding& finding : runs[0].findings) {
    const Verdict want = finding.id == "read-curve" ? Verdict::kNotApplicable : Verdict::kPass;  // it has one size
    EXPECT_EQ(finding.verdict, want) << finding.id << ": " << finding.reason;
  }
  const CollectiveTable& table = *runs[0].collective;
  ASSERT_THAT(table.devices, SizeIs(4));
  EXPECT_EQ(table.devices[3].host, "b");
  EXPECT_EQ(table.rows[0].root, "-1");
  EXPECT_DOUBLE_EQ(table.rows[0].placements[1].busbw->value, 15.72864);
  EXPECT_EQ(table.rows[0].placements[0].wrong, 0U);
}

TEST(NcclJsonTest, KeepsNoEnvironment) {
  const auto runs = ReadText(kSample, "a.json");
  EXPECT_EQ(base::WriteJson(RunRecordToJson(runs[0])).find("hush"), std::string::npos);
}

struct FaultCase {
  const char* from;
  const char* to;
  const char* id;
  const char* reason;
  Verdict verdict = Verdict::kUnknown;
};

TEST(NcclJsonTest, WhatIsMissingOrImpossibleIsNamed) {
  for (const FaultCase& row :
       {FaultCase{",\"end_time\":\"2026-01-02 03:04:06\"", "", "read-complete", "footer is missing"},
        FaultCase{"\"errors\":[]", "\"errors\":[\"cuda failure\"]", "read-complete", "cuda failure"},
        FaultCase{"\"time\":100.000000", "\"time\":\"nan\"", "read-complete", "result 1: a figure of out_of_place"},
        FaultCase{"\"maximum_bytes\":1048576", "\"maximum_bytes\":2097152", "read-complete", "2097152 bytes"},
        FaultCase{"\"alg_bw\":10.485760", "\"alg_bw\":11.485760", "read-bandwidth", "impossible"},
        FaultCase{"\"rank\":2", "\"rank\":0", "read-ranks", "rank 0 is listed 2 times"},
        FaultCase{"\"nwrong\":0.000000", "\"nwrong\":5.000000", "read-correct", "5 elements", Verdict::kFail},
        FaultCase{"\"nwrong\":0.000000", "\"nwrong\":null", "read-correct", "not checked"}}) {
    const auto runs = ReadText(Replaced(row.from, row.to), "a.json");
    ASSERT_THAT(runs, SizeIs(1)) << row.to;
    const auto found = std::find_if(runs[0].findings.begin(), runs[0].findings.end(),
                                    [&row](const base::Finding& finding) { return finding.id == row.id; });
    ASSERT_NE(found, runs[0].findings.end());
    EXPECT_EQ(found->verdict, row.verdict) << row.to << ": " << found->reason;
    EXPECT_THAT(found->reason, HasSubstr(row.reason)) << row.to;
  }
}

TEST(NcclJsonTest, LeavesOtherDocumentsAlone) {
  EXPECT_THAT(ReadText(R"({"results":[],"config":{}})", "a.json"), SizeIs(0));
  EXPECT_THAT(ReadText(R"({"results":1,"config":{},"nccl_version":1})", "a.json"), SizeIs(0));
  for (size_t length = 0; length < kSample.size(); ++length) {
    EXPECT_THAT(ReadText(kSample.substr(0, length), "cut.json"), SizeIs(0)) << length;
  }
}

}  // namespace
}  // namespace ashlar::bench
