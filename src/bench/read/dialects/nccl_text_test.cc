#include "bench/read/dialects/nccl_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<RunRecord> Read(std::string_view text) {
  std::vector<RunRecord> runs;
  const auto reader = MakeNcclTextReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  for (std::string_view line : base::SplitLines(text)) reader->Take({.number = ++number, .text = line});
  reader->Finish();
  return runs;
}

std::string Sample() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log",
                           {base::kMiB})
      .value();
}

// Everything above and below the rows of one device, for rows of the test's own.
std::string Table(std::string_view header, std::string_view rows) {
  return fmt::format(
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 validation: 1\n"
      "{}\n{}# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0\n",
      header, rows);
}

TEST(NcclTextReaderTest, ReadsEveryPartOfARun) {
  const auto runs = Read(Sample());
  ASSERT_THAT(runs, SizeIs(1));
  const RunRecord& run = runs[0];
  EXPECT_EQ(run.tool, "nccl-tests");
  EXPECT_EQ(run.version, "2.17.4");
  EXPECT_EQ(run.test, "all_reduce_perf");
  EXPECT_TRUE(run.is_complete);
  EXPECT_THAT(run.notes, SizeIs(0));
  EXPECT_EQ(run.source.first_line, 1U);
  EXPECT_EQ(run.source.last_line, 20U);
  const CollectiveTable& collective = *run.collective;
  EXPECT_EQ(collective.request.min_bytes, 1048576U);
  EXPECT_EQ(collective.request.max_bytes, 4194304U);
  EXPECT_EQ(collective.request.step, 2U);
  EXPECT_TRUE(collective.request.step_is_factor);
  EXPECT_EQ(collective.request.iterations, 20U);
  EXPECT_EQ(collective.request.validation, 1U);
  EXPECT_EQ(collective.request.gpus, 4U);
  ASSERT_THAT(collective.devices, SizeIs(4));
  EXPECT_EQ(collective.devices[3].rank, 3);
  EXPECT_EQ(collective.devices[3].pid, 4711);
  EXPECT_EQ(collective.devices[3].host, "node-1");
  EXPECT_EQ(collective.devices[3].bus_id, "0008:00:00");
  EXPECT_EQ(collective.devices[3].name, "NVIDIA Test GPU");
  ASSERT_THAT(collective.rows, SizeIs(3));
  const CollectiveRow& row = collective.rows[1];
  EXPECT_EQ(row.line, 15U);
  EXPECT_EQ(row.size_bytes, 2097152U);
  EXPECT_EQ(row.count, 524288U);
  EXPECT_EQ(row.type, "float");
  EXPECT_EQ(row.redop, "sum");
  EXPECT_EQ(row.root, "-1");
  ASSERT_THAT(row.placements, SizeIs(2));
  EXPECT_EQ(row.placements[0].time->value, 150);
  EXPECT_EQ(row.placements[1].busbw->value, 19.66);
  EXPECT_EQ(row.placements[1].wrong, 0U);
  EXPECT_EQ(collective.out_of_bounds, 0U);
  EXPECT_EQ(collective.average_busbw->value, 20.0039);
}

struct RowCase {
  const char* name;
  const char* header;
  const char* row;
  const char* redop;
  const char* root;
  std::optional<uint64_t> wrong;  // of the last placement
  size_t placements;
};

class TableFormTest : public testing::TestWithParam<RowCase> {};

TEST_P(TableFormTest, FindsTheColumns) {
  const auto runs = Read(Table(GetParam().header, GetParam().row));
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().name;
  ASSERT_THAT(runs[0].collective->rows, SizeIs(1)) << GetParam().name;
  const CollectiveRow& row = runs[0].collective->rows[0];
  EXPECT_EQ(row.redop, GetParam().redop) << GetParam().name;
  EXPECT_EQ(row.root, GetParam().root) << GetParam().name;
  ASSERT_THAT(row.placements, SizeIs(GetParam().placements)) << GetParam().name;
  EXPECT_EQ(row.placements.back().wrong, GetParam().wrong) << GetParam().name;
  EXPECT_EQ(row.placements.back().busbw->value, 0.03) << GetParam().name;
}

// Forms: reference of the versions in NVIDIA/nccl-tests' history and ROCm/rccl-tests.
INSTANTIATE_TEST_SUITE_P(
    Versions, TableFormTest,
    testing::Values(
        RowCase{"2019", "#  bytes  N  type  op  time  algbw  busbw  res  time  algbw  busbw  res",
                "  8  2  float  sum  0.035  0.01  0.01  0e+00  0.030  0.02  0.03  0e+00\n", "sum", "", std::nullopt, 2},
        RowCase{"2.11 without root",
                "#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error",
                "  8  2  float  sum  35.0  0.01  0.01  0e+00  30.0  0.02  0.03  0e+00\n", "sum", "", std::nullopt, 2},
        RowCase{"2.11 without redop", "#  size  count  type  time  algbw  busbw  error  time  algbw  busbw  error",
                "  8  2  float  35.0  0.01  0.01  N/A  30.0  0.02  0.03  N/A\n", "", "", std::nullopt, 2},
        RowCase{"2.13", "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong",
                "  8  2  float  none  0  35.0  0.01  0.01  0  30.0  0.02  0.03  7\n", "none", "0", 7U, 2},
        RowCase{"empty redop of hypercube",
                "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong",
                "  8  2  float   -1  35.0  0.01  0.01  0  30.0  0.02  0.03  0\n", "", "-1", 0U, 2},
        RowCase{"in-place alltoall is not checked",
                "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong",
                "  8  2  float  none  -1  35.0  0.01  0.01  0  30.0  0.02  0.03  N/A\n", "none", "-1", std::nullopt, 2},
        RowCase{"cputime",
                "#  size  count  type  redop  root  cputime  algbw  busbw  #wrong  cputime  algbw  busbw  #wrong",
                "  8  2  float  sum  -1  35.0  0.01  0.01  0  1.2e+07  0.02  0.03  0\n", "sum", "-1", 0U, 2},
        RowCase{"per iteration",
                "#  size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv  time  algbw "
                " busbw  "
                "#wrong  i_min  i_max  i_p99  i_cv",
                "  8  2  float  sum  -1  35.0  0.01  0.01  0  1  2  3  4  30.0  0.02  0.03  0  1  2  3  4\n", "sum",
                "-1", 0U, 2},
        RowCase{"timestamp",
                "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong  timestamp",
                "  8  2  float  sum  -1  35.0  0.01  0.01  0  30.0  0.02  0.03  0  2026-01-02 03:04:05\n", "sum", "-1",
                0U, 2},
        RowCase{"one placement of rccl-tests -O", "#  size  count  type  redop  root  time  algbw  busbw  #wrong",
                "  8  2  float  sum  -1  35.0  0.01  0.03  0\n", "sum", "-1", 0U, 1}));

TEST(NcclTextReaderTest, KnowsRcclTestsByItsFirstLine) {
  const auto runs = Read("rccl-tests: Version develop:8a7b9c\n" + Sample());
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].tool, "rccl-tests");
}

TEST(NcclTextReaderTest, SeparatesRunsThatFollowEachOther) {
  const auto runs = Read(Sample() + "some shell output\n" + Sample());
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_TRUE(runs[1].is_complete);
  EXPECT_EQ(runs[1].source.first_line, 22U);
}

TEST(NcclTextReaderTest, JoinsARowThatAMessageCut) {
  std::string text = Sample();
  const size_t row = text.find("  150.00");
  text.insert(row, "node-1:4711:4712 [0] NCCL INFO Channel 00/02 : 0 1 2 3\n");
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_THAT(runs[0].collective->rows, SizeIs(3));
  ASSERT_THAT(runs[0].notes, SizeIs(1));
  EXPECT_FALSE(runs[0].notes[0].is_damage);
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr("joined"));
}

struct DamageCase {
  const char* name;
  const char* from;
  const char* to;
  const char* note;
};

class DamageTest : public testing::TestWithParam<DamageCase> {};

TEST_P(DamageTest, IsNoted) {
  std::string text = Sample();
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().name;
  ASSERT_FALSE(runs[0].notes.empty()) << GetParam().name;
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr(GetParam().note)) << GetParam().name;
  EXPECT_TRUE(runs[0].notes[0].is_damage) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DamageTest,
    testing::Values(DamageCase{"row cut", "150.00   13.98", "150.00\n13.98", "no whole row"},
                    DamageCase{"figure is nan", "13.98", "  nan", "no whole row"},
                    DamageCase{"minus", "13.98", "-3.98", "no whole row"},
                    DamageCase{"size is no number", "2097152", "2097x52", "no whole row"},
                    DamageCase{"wrong count absurd", "20.97       0", "20.97   1e+30", "no whole row"},
                    DamageCase{"out of bounds unreadable", "values : 0", "values : x", "out of bounds"},
                    DamageCase{"average unreadable", "bandwidth    : 20.0039", "bandwidth    : nan", "average"},
                    DamageCase{"error", "# Out of bounds", "# error: unhandled system error\n# Out of bounds",
                               "error:"}));

TEST(NcclTextReaderTest, SaysThatMemoryMadeItMeasureLess) {
  const auto runs = Read(
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20\n"
      "# Reducing maxBytes to 32 due to memory limitation\n# Reducing maxBytes to\n");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].collective->request.max_bytes, 32U);
}

TEST(NcclTextReaderTest, LeavesAloneWhatIsNotIts) {
  EXPECT_THAT(Read(""), SizeIs(0));
  EXPECT_THAT(Read("# a comment\n1 2 3\nrccl\n#\n# Rank\n# Avg bus bandwidth\n"), SizeIs(0));
}

}  // namespace
}  // namespace ashlar::bench
