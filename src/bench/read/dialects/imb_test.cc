#include "bench/read/dialects/imb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/read/limits.h"
#include "bench/read/sample_table.h"
#include "os/os.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<RunRecord> Read(std::string_view text) {
  std::vector<RunRecord> runs;
  const auto reader = MakeImbReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  const std::vector<std::string_view> lines = base::SplitLines(text);
  for (std::string_view line : lines) {
    ++number;
    reader->Take({.number = number, .text = line, .is_whole = number < lines.size() || text.ends_with('\n')});
  }
  reader->Finish();
  return runs;
}

std::string WholeLog() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/imb_2021.log",
                           {base::kMiB})
      .value();
}

// Of all notes the one that says why it is not known to be whole; "" when there is none.
std::string LastNote(const RunRecord& run) { return run.notes.empty() ? "" : run.notes.back().text; }

double Value(const RunRecord& run, size_t row, std::string_view name) {
  const Quantity* quantity = FindQuantity(run.samples.at(row), name);
  return quantity == nullptr ? -1 : quantity->value;
}

const char* const kFooter = "# All processes entering MPI_Finalize\n";

// A program of one block, with sizes up to `most`.
std::string Program(std::string_view version, uint64_t most, std::string_view block) {
  return fmt::format(
      "#    Intel(R) MPI Benchmarks {}, MPI-1 part\n# Minimum message length in bytes:   0\n"
      "# Maximum message length in bytes:   {}\n#-----\n# Benchmarking PingPong\n# #processes = 2\n#-----\n{}{}",
      version, most, block, kFooter);
}

TEST(ImbReaderTest, EveryBlockIsARun) {
  const auto runs = Read(WholeLog());
  ASSERT_THAT(runs, SizeIs(3));
  for (const RunRecord& run : runs) {
    EXPECT_EQ(run.dialect, "imb");
    EXPECT_EQ(run.tool, "intel-mpi-benchmarks");
    EXPECT_EQ(run.version, "2021.3");
    EXPECT_TRUE(run.is_complete);
    EXPECT_THAT(run.notes, SizeIs(0));
  }
  EXPECT_EQ(runs[0].test, "Sendrecv");
  EXPECT_EQ(runs[0].source.first_line, 30U);
  EXPECT_EQ(runs[0].source.last_line, 41U);
  ASSERT_THAT(runs[0].samples, SizeIs(7));
  const Sample& last = runs[0].samples[6];
  EXPECT_EQ(last.line, 41U);
  EXPECT_EQ(NumberLabel(last, "size_bytes"), 32U);
  EXPECT_EQ(NumberLabel(last, "ranks"), 2U);
  EXPECT_DOUBLE_EQ(Value(runs[0], 6, "time_min"), 1.5e-6);
  EXPECT_DOUBLE_EQ(Value(runs[0], 6, "time_max"), 1.6e-6);
  EXPECT_DOUBLE_EQ(Value(runs[0], 6, "time_avg"), 1.55e-6);
  EXPECT_EQ(Value(runs[0], 6, "iterations"), 1000);
  // Sendrecv moves every byte twice: 2 * 32 bytes in 1.6 µs.
  EXPECT_DOUBLE_EQ(Value(runs[0], 6, "bandwidth"), 40e6);
  EXPECT_EQ(NumberLabel(runs[1].samples[0], "ranks"), 4U);
  EXPECT_EQ(runs[2].test, "Barrier");
  ASSERT_THAT(runs[2].samples, SizeIs(1));
  EXPECT_FALSE(NumberLabel(runs[2].samples[0], "size_bytes").has_value());
  EXPECT_DOUBLE_EQ(Value(runs[2], 0, "time_avg"), 0.92e-6);
}

struct MegabyteCase {
  const char* version;
  const char* row;
  double time_seconds;
  double bandwidth;  // -1 when it is left out
};

class MegabyteTest : public testing::TestWithParam<MegabyteCase> {};

TEST_P(MegabyteTest, IsThatOfItsVersion) {
  const auto runs =
      Read(Program(GetParam().version, 4194304,
                   std::string("       #bytes #repetitions      t[usec]   Mbytes/sec\n") + GetParam().row));
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().version;
  ASSERT_THAT(runs[0].samples, SizeIs(1)) << GetParam().version;
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, "time_max"), GetParam().time_seconds) << GetParam().version;
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, "bandwidth"), GetParam().bandwidth) << GetParam().version;
  if (GetParam().bandwidth < 0) {
    ASSERT_FALSE(runs[0].notes.empty()) << GetParam().version;
    EXPECT_THAT(runs[0].notes[0].text, HasSubstr("is left out"));
    return;
  }
  // A ping-pong's bandwidth is size / time, which settles what a megabyte was.
  EXPECT_NEAR(GetParam().bandwidth / (4194304 / GetParam().time_seconds), 1, 1e-5) << GetParam().version;
}

// The rows of 4.0 and 2018 stand in published logs.
INSTANTIATE_TEST_SUITE_P(
    Versions, MegabyteTest,
    testing::Values(MegabyteCase{"4.0 Update 1", "4194304 10 1082.94 3693.63\n", 1082.94e-6, 3693.63 * 1048576},
                    MegabyteCase{"2018 Update 1", "4194304 10 653.76 6415.63\n", 653.76e-6, 6415.63e6},
                    MegabyteCase{"2021.7", "4194304 10 347.16 12081.72\n", 347.16e-6, 12081.72e6},
                    MegabyteCase{"2017", "4194304 10 653.76 6415.63\n", 653.76e-6, -1},
                    MegabyteCase{"", "4194304 10 653.76 6415.63\n", 653.76e-6, -1}));

TEST(ImbReaderTest, OldTitlesHaveVersionsToo) {
  std::string text = Program("x", 1, "#bytes #repetitions t[usec] Mbytes/sec\n0 1000 1.00 0.00\n1 1000 1.00 0.95\n");
  const std::string now = "Intel(R) MPI Benchmarks x,";
  text.replace(text.find(now), now.size(), "Intel (R) MPI Benchmark Suite V3.2,");
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].version, "3.2");
  EXPECT_DOUBLE_EQ(Value(runs[0], 1, "bandwidth"), 0.95 * 1048576);
}

const char* const kGroups =
    "#    Intel(R) MPI Benchmarks 2018, MPI-1 part\n# Maximum message length in bytes:   1\n"
    "# Benchmarking Multi-PingPong\n# ( 2 groups of 2 processes each running simultaneous )\n# Group    0: 0 1\n"
    "# Group    1: 2 3\n#-----\n        Group       #bytes #repetitions      t[usec]   Mbytes/sec\n \n"
    "            0            0         1000        10.19         0.00\n"
    "            1            0         1000        10.22         0.00\n \n"
    "            0            1         1000         7.28         0.14\n"
    "            1            1         1000         7.13         0.14\n";

TEST(ImbReaderTest, GroupsThatRanTogetherAreLabelled) {
  const auto runs = Read(std::string(kGroups) + kFooter);
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_THAT(runs[0].notes, SizeIs(0));
  ASSERT_THAT(runs[0].samples, SizeIs(4));
  EXPECT_EQ(NumberLabel(runs[0].samples[3], "group"), 1U);
  EXPECT_EQ(NumberLabel(runs[0].samples[3], "ranks"), 2U);
}

TEST(ImbReaderTest, AGroupWithoutItsRowsIsMissed) {
  std::string text = std::string(kGroups) + kFooter;
  for (const char* row : {"            1            1         1000", "            1            0         1000"}) {
    const size_t at = text.find(row);
    ASSERT_NE(at, std::string::npos) << row;
    text.erase(at, text.find('\n', at) + 1 - at);
    EXPECT_FALSE(Read(text)[0].is_complete) << row;
  }
  EXPECT_THAT(LastNote(Read(text)[0]), HasSubstr("2 groups ran, not all are here"));
}

TEST(ImbReaderTest, ARowThatTheTextEndsInIsDamage) {
  const std::string text = WholeLog();
  const auto runs = Read(text.substr(0, text.find("25.60") + 4));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_THAT(runs[0].samples, SizeIs(5));
  ASSERT_FALSE(runs[0].notes.empty());
  EXPECT_TRUE(runs[0].notes[0].is_damage);
}

struct OpenCase {
  const char* name;
  const char* from;
  const char* to;
  size_t run;
  const char* why;
};

class ImbOpenEndTest : public testing::TestWithParam<OpenCase> {};

TEST_P(ImbOpenEndTest, IsNotKnownToBeWhole) {
  std::string text = WholeLog();
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << GetParam().name;
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto runs = Read(text);
  ASSERT_GT(runs.size(), GetParam().run) << GetParam().name;
  EXPECT_FALSE(runs[GetParam().run].is_complete) << GetParam().name;
  EXPECT_THAT(LastNote(runs[GetParam().run]), HasSubstr(GetParam().why)) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, ImbOpenEndTest,
    testing::Values(OpenCase{"no head", "# Maximum message", "# Most message", 0, "head"},
                    OpenCase{"larger sizes were asked for", "bytes:   32", "bytes:   64", 1, "it stops at 32"},
                    OpenCase{"sizes from a file", "# Minimum message length in bytes:   0",
                             "# Message lengths were user defined", 0, "from a file"},
                    OpenCase{"no last line", "# All processes entering", "# some processes", 2, "last line is missing"},
                    OpenCase{"another program begins", "# All processes entering MPI_Finalize",
                             "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part", 2, "last line is missing"},
                    OpenCase{"no row", "         1000         0.90", "# 1000 0.90", 2, "there is no row"}));

TEST(ImbReaderTest, ABlockThatBeginsLateIsNotWhole) {
  const auto runs = Read(Program("2021.3", 32,
                                 "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                                 "16 1000 1.00 1.00 1.00\n32 1000 1.00 1.00 1.00\n"));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_THAT(LastNote(runs[0]), HasSubstr("it begins at 16 bytes"));
}

struct DamageCase {
  const char* name;
  const char* from;
  const char* to;
  const char* note;
};

class ImbDamageTest : public testing::TestWithParam<DamageCase> {};

TEST_P(ImbDamageTest, IsNoted) {
  std::string text = WholeLog();
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << GetParam().name;
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(3)) << GetParam().name;
  ASSERT_FALSE(runs[0].notes.empty()) << GetParam().name;
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr(GetParam().note)) << GetParam().name;
  EXPECT_TRUE(runs[0].notes[0].is_damage) << GetParam().name;
}

const char* const kSixteen = "           16         1000         1.10         1.25         1.20        25.60\n";

INSTANTIATE_TEST_SUITE_P(
    Kinds, ImbDamageTest,
    testing::Values(DamageCase{"row lost", kSixteen, "", "missing between 8 and 32"},
                    DamageCase{"row cut", "25.60", "", "no whole row"},
                    DamageCase{"nan", "25.60", "nan", "no whole row"},
                    DamageCase{"memory", kSixteen, "           16 out-of-mem.; needed X=   0.516 GB; use flag\n",
                               "not measured: out-of-mem.; needed X="},
                    DamageCase{"time", kSixteen, "           16 time-out.; Time limit is over\n",
                               "not measured: time-out."},
                    DamageCase{"column unknown", "t_avg[usec]", "t_odd[usec]", "column that is not known"}));

TEST(ImbReaderTest, OverlapAndDefectsAreFigures) {
  const auto runs = Read(Program("2021.3", 0,
                                 "#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec]  overlap[%] defects\n"
                                 "0 1000 3.00 2.00 2.00 50.00 0.00\n"));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, "time_overall"), 3e-6);
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, "overlap"), 0.5);
  EXPECT_EQ(Value(runs[0], 0, "defects"), 0);
}

TEST(ImbReaderTest, AHeadServesItsOwnProgramOnly) {
  std::string excerpt = WholeLog();
  excerpt.erase(0, excerpt.find("#---", excerpt.find("# Barrier")));
  const auto runs = Read(WholeLog() + excerpt);
  ASSERT_THAT(runs, SizeIs(6));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_FALSE(runs[3].is_complete);
  EXPECT_EQ(runs[3].version, "");
}

TEST(ImbReaderTest, LeavesAloneWhatIsNotIts) {
  EXPECT_THAT(Read(""), SizeIs(0));
  EXPECT_THAT(Read("#bytes #repetitions t[usec]\n0 1 2.00\nGroup\n#-\n# #processes = 2\n"), SizeIs(0));
  EXPECT_THAT(Read("# Benchmarking " + std::string(kLongestHeading, 'x') + "\n"), SizeIs(0));
  EXPECT_THAT(Read("# Maximum message length\n# Intel MPI Benchmark\n# Minimum message length in bytes: x\n"),
              SizeIs(0));
}

}  // namespace
}  // namespace ashlar::bench
