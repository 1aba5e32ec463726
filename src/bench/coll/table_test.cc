#include "bench/coll/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;

TEST(Table, NumbersFollowTheFieldsRule) {
  struct Row {
    double value;
    int width;
    const char* text;
  };
  // getFloatStr of nccl-tests 2.19: as many of two decimals as fit, then an exponent.
  const Row rows[] = {
      {0, 7, "0.00"},          {0.449, 7, "0.45"},       {112, 7, "112.00"},      {9999.4, 7, "9999.40"},
      {16215, 7, "16215.0"},   {162150, 7, "162150"},    {1621500, 7, "1621500"}, {12'000'000, 7, "1.2e+07"},
      {202.11, 6, "202.11"},   {1202.11, 6, "1202.1"},   {12'021.1, 6, "12021"},  {120'211, 6, "120211"},
      {1'202'110, 6, "1e+06"}, {std::nan(""), 6, "N/A"}, {INFINITY, 7, "N/A"},
  };
  for (const Row& row : rows) EXPECT_EQ(FieldNumber(row.value, row.width), row.text) << row.value;
}

base::Json Placement(double seconds, base::Json wrong) {
  return base::JsonObject{{"time_seconds", seconds},
                          {"algbw_bytes_per_second", 115.49e9},
                          {"busbw_bytes_per_second", 202.11e9},
                          {"wrong", std::move(wrong)},
                          {"iterations", 1200},
                          {"ci95_low_seconds", seconds * 0.99},
                          {"ci95_high_seconds", seconds * 1.01},
                          {"converged", false}};
}

TEST(Table, RowHasTheFieldsColumns) {
  base::JsonObject row{{"size_bytes", 134'217'728},
                       {"count", 33'554'432},
                       {"type", "float"},
                       {"redop", "sum"},
                       {"root", -1},
                       {"out_of_place", Placement(1162.2e-6, 0)},
                       {"in_place", Placement(1162.5e-6, nullptr)}};
  // The widths of a row of nccl-tests 2.19: 12, 12, 8, 6, 6, then 7, 6, 6, 6 twice, two blanks between.
  EXPECT_EQ(TableRow(row),
            "   134217728      33554432     float     sum      -1  1162.20  115.49  202.11       0  1162.50  115.49  "
            "202.11     N/A\n");
  row["in_place"] = nullptr;
  EXPECT_THAT(TableRow(row), HasSubstr("     N/A     N/A     N/A     N/A\n"));
}

base::Json Document() {
  return base::JsonObject{
      {"collective", "all_reduce"},
      {"backend", "mpi"},
      {"library", "Open MPI v4.1.4"},
      {"mode", "adaptive"},
      {"options", base::JsonObject{{"minimum_bytes", 8},
                                   {"maximum_bytes", 64},
                                   {"step", "2(factor)"},
                                   {"iterations", nullptr},
                                   {"warmup_iterations", 1},
                                   {"aggregate", 1},
                                   {"check_iterations", 1},
                                   {"interval", 0.02}}},
      {"notes", base::JsonArray{"-G: ignored"}},
      {"places", base::JsonArray{base::JsonObject{{"rank", 0}, {"pid", 4711}, {"host", "node-1"}}}},
      {"rows", base::JsonArray{base::JsonObject{
                   {"size_bytes", 8}, {"out_of_place", Placement(1e-6, 0)}, {"in_place", nullptr}}}},
      {"out_of_bounds", 0},
      {"average_busbw_bytes_per_second", 68.4048e9},
      {"findings", base::JsonArray()}};
}

TEST(Table, HeaderLinesAreThoseThatParsersLookFor) {
  const std::string header = TableHeader(Document());
  // Lines of nccl-tests 2.19 for one rank on node-1.
  EXPECT_THAT(header, HasSubstr("# Collective test starting: all_reduce\n"));
  EXPECT_THAT(header, HasSubstr("# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 1 iters: 0 "
                                "agg iters: 1 validation: 1 graph: 0"));
  EXPECT_THAT(header, HasSubstr("# Note: -G: ignored\n"));
  EXPECT_THAT(header, HasSubstr("# Using devices\n#  Rank  0 Group  0 Pid   4711 on     node-1 device  0 ["));
  EXPECT_THAT(header, HasSubstr("#       size         count      type   redop    root     time   algbw   busbw  #wrong "
                                "    time   algbw   busbw  #wrong"));
  EXPECT_THAT(header, HasSubstr("#        (B)    (elements)                               (us)  (GB/s)  (GB/s)"));
  for (const std::string_view line : base::SplitLines(header)) EXPECT_EQ(line.front(), '#');
}

TEST(Table, FooterSaysWhetherResultsAreRight) {
  base::Json document = Document();
  EXPECT_THAT(TableFooter(document), HasSubstr("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 68.4048\n#\n"
                                               "# Collective test concluded: all_reduce\n"));
  EXPECT_THAT(TableFooter(document), HasSubstr("1200 (1.0 %) !"));
  document.as_object()["out_of_bounds"] = 7;
  EXPECT_THAT(TableFooter(document), HasSubstr("# Out of bounds values : 7 FAILED\n"));
}

TEST(Table, ADamagedDocumentIsShownAndDoesNotCrash) {
  for (const base::Json& json : {base::Json(nullptr), base::Json(base::JsonObject()), base::Json(base::JsonArray())}) {
    EXPECT_FALSE(TableHeader(json).empty());
    EXPECT_FALSE(TableRow(json).empty());
    EXPECT_FALSE(TableFooter(json).empty());
  }
}

}  // namespace
}  // namespace ashlar::bench
