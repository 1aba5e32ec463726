#include "bench/read/dialects/osu.h"

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
  const auto reader = MakeOsuReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  const std::vector<std::string_view> lines = base::SplitLines(text);
  for (std::string_view line : lines) {
    ++number;
    reader->Take({.number = number, .text = line, .is_whole = number < lines.size() || text.ends_with('\n')});
  }
  reader->Finish();
  return runs;
}

std::string AllreduceLog() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/osu_allreduce_7_4.log",
                           {base::kMiB})
      .value();
}

// Of all notes the one that says why it is not known to be whole; "" when there is none.
std::string LastNote(const RunRecord& run) { return run.notes.empty() ? "" : run.notes.back().text; }

double Value(const RunRecord& run, size_t row, std::string_view name) {
  const Quantity* quantity = FindQuantity(run.samples.at(row), name);
  return quantity == nullptr ? -1 : quantity->value;
}

// Rows of `cells` for each size from `first` to `last`, doubling; after 0 comes 1.
std::string Sweep(uint64_t first, uint64_t last, std::string_view cells) {
  std::string rows;
  for (uint64_t size = first; size <= last; size = size == 0 ? 1 : 2 * size) {
    rows += fmt::format("{:<10}{}\n", size, cells);
  }
  return rows;
}

TEST(OsuReaderTest, ReadsEveryPartOfARun) {
  const auto runs = Read(AllreduceLog());
  ASSERT_THAT(runs, SizeIs(1));
  const RunRecord& run = runs[0];
  EXPECT_EQ(run.dialect, "osu");
  EXPECT_EQ(run.tool, "osu-micro-benchmarks");
  EXPECT_EQ(run.version, "7.4");
  EXPECT_EQ(run.test, "allreduce latency");
  EXPECT_EQ(run.source.first_line, 1U);
  EXPECT_EQ(run.source.last_line, 22U);
  EXPECT_TRUE(run.is_complete);
  EXPECT_THAT(run.notes, SizeIs(0));
  ASSERT_THAT(run.samples, SizeIs(19));  // 2^2 to 2^20
  const Sample& last = run.samples.back();
  EXPECT_EQ(last.line, 22U);
  EXPECT_EQ(NumberLabel(last, "size_bytes"), 1048576U);
  EXPECT_EQ(last.labels.at("interface"), "MPI-CUDA");
  EXPECT_EQ(last.labels.at("datatype"), "MPI_FLOAT");
  EXPECT_DOUBLE_EQ(Value(run, 18, "time_avg"), 640e-6);
  EXPECT_DOUBLE_EQ(Value(run, 18, "time_min"), 576e-6);
  EXPECT_DOUBLE_EQ(Value(run, 18, "time_max"), 768e-6);
  EXPECT_EQ(Value(run, 18, "iterations"), 100);
  EXPECT_EQ(FindQuantity(last, "time_avg")->unit, "seconds");
}

struct FormCase {
  const char* name;
  const char* title;
  const char* heading;
  uint64_t first;
  uint64_t last;
  const char* cells;
  const char* test;
  const char* version;
  const char* interface;
  const char* quantity;
  double value;
};

class OsuFormTest : public testing::TestWithParam<FormCase> {};

TEST_P(OsuFormTest, IsReadAndWhole) {
  const FormCase& form = GetParam();
  const auto runs = Read(fmt::format("{}\n{}\n{}", form.title, form.heading, Sweep(form.first, form.last, form.cells)));
  ASSERT_THAT(runs, SizeIs(1)) << form.name;
  EXPECT_EQ(runs[0].test, form.test) << form.name;
  EXPECT_EQ(runs[0].version, form.version) << form.name;
  EXPECT_TRUE(runs[0].is_complete) << form.name << ": " << LastNote(runs[0]);
  ASSERT_FALSE(runs[0].samples.empty()) << form.name;
  EXPECT_EQ(runs[0].samples[0].labels.at("interface"), form.interface) << form.name;
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, form.quantity), form.value) << form.name;
}

// Titles and headings as logs that were published have them, 4.4 to 7.5.
INSTANTIATE_TEST_SUITE_P(
    Versions, OsuFormTest,
    testing::Values(
        FormCase{"latency of CUDA", "# OSU MPI-CUDA Latency Test v4.4.1",
                 "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n# Size          Latency (us)", 0,
                 4194304, "             1.26", "latency", "4.4.1", "MPI-CUDA", "time_avg", 1.26e-6},
        FormCase{"latency of 7", "# OSU MPI Latency Test v7.5", "# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)",
                 1, 4194304, "  1.50", "latency", "7.5", "MPI", "time_avg", 1.5e-6},
        FormCase{"bandwidth is in 10^6 bytes", "# OSU MPI Bandwidth Test v5.8", "# Size      Bandwidth (MB/s)", 1,
                 4194304, "  12254.16", "bandwidth", "5.8", "MPI", "bandwidth", 12254.16e6},
        FormCase{"both ways", "# OSU MPI Bi-Directional Bandwidth Test v7.5", "# Size      Bandwidth (MB/s)", 1,
                 4194304, "  2.41", "bi-directional bandwidth", "7.5", "MPI", "bandwidth", 2.41e6},
        FormCase{"several pairs", "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4",
                 "# [ pairs: 15 ] [ window size: 64 ]\n# Datatype: MPI_CHAR.\n# Size    MB/s   Messages/s", 1, 4194304,
                 "  6.39  6385003.80", "multiple bandwidth / message rate", "7.4", "MPI", "message_rate", 6385003.80},
        FormCase{"one-sided", "# OSU MPI_Put-CUDA Latency Test v5.8",
                 "# Window creation: MPI_Win_allocate\n# Synchronization: MPI_Win_flush\n# Size          Latency (us)",
                 1, 4194304, "  0.44", "mpi_put latency", "5.8", "MPI-CUDA", "time_avg", 0.44e-6},
        FormCase{"atomic", "# OSU MPI_Fetch_and_op latency Test v5.8", "# Size          Latency (us)", 8, 8, "  0.62",
                 "mpi_fetch_and_op latency", "5.8", "MPI", "time_avg", 0.62e-6},
        FormCase{"managed memory", "# OSU MPI-CUDA MANAGED Broadcast Latency Test v7.4", "# Size       Avg Latency(us)",
                 1, 1048576, "  3.00", "broadcast latency", "7.4", "MPI-CUDA MANAGED", "time_avg", 3e-6},
        FormCase{"no version", "# OSU MPI All-to-All Personalized Exchange Latency Test",
                 "# Size         Avg Latency(us)     Min Latency(us)     Max Latency(us)  Iterations", 1, 1048576,
                 "  26.29   23.46   28.34   5000", "all-to-all personalized exchange latency", "", "MPI", "time_max",
                 28.34e-6},
        FormCase{"non-blocking", "# OSU MPI Non-blocking Allgather Latency Test v7.4",
                 "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n# Size  Overall(us)  Compute(us)  Pure "
                 "Comm.(us)  Overlap(%)",
                 1, 1048576, "  9.00  5.00  5.00  25.00", "non-blocking allgather latency", "7.4", "MPI", "overlap",
                 0.25},
        FormCase{"validated", "# OSU MPI-CUDA Bandwidth Test v7.5", "# Size      Bandwidth (MB/s)        Validation", 1,
                 4194304, "  0.90   Pass", "bandwidth", "7.5", "MPI-CUDA", "bandwidth", 0.9e6}));

TEST(OsuReaderTest, ABarrierHasOneRowWithoutASize) {
  const auto runs =
      Read("# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n            12.57\n2026-01-05 done\n");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  ASSERT_THAT(runs[0].samples, SizeIs(1));
  EXPECT_FALSE(NumberLabel(runs[0].samples[0], "size_bytes").has_value());
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, "time_avg"), 12.57e-6);
}

TEST(OsuReaderTest, ASecondTypeIsARunOfItsOwn) {
  const std::string head = "# Size       Avg Latency(us)\n";
  const auto runs = Read("# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_INT.\n" + head +
                         Sweep(4, 1048576, " 1.00") + "# Datatype: MPI_CHAR.\n" + head + Sweep(1, 1048576, " 2.00"));
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].samples[0].labels.at("datatype"), "MPI_INT");
  EXPECT_EQ(runs[1].samples[0].labels.at("datatype"), "MPI_CHAR");
  EXPECT_EQ(runs[1].test, "allreduce latency");
  EXPECT_TRUE(runs[0].is_complete && runs[1].is_complete);
}

TEST(OsuReaderTest, WhatFollowsAWholeSweepIsNotItsBusiness) {
  const auto runs = Read(AllreduceLog() + "2026-01-05 12:00 the job goes on\n17 more\n");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_THAT(runs[0].notes, SizeIs(0));
}

struct OpenCase {
  const char* name;
  const char* title;
  std::string rows;
  const char* why;
};

class OsuOpenEndTest : public testing::TestWithParam<OpenCase> {};

TEST_P(OsuOpenEndTest, IsNotKnownToBeWhole) {
  const auto runs = Read(std::string(GetParam().title) + "\n# Size       Avg Latency(us)\n" + GetParam().rows);
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().name;
  EXPECT_FALSE(runs[0].is_complete) << GetParam().name;
  ASSERT_FALSE(runs[0].notes.empty()) << GetParam().name;
  EXPECT_THAT(LastNote(runs[0]), HasSubstr(GetParam().why)) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, OsuOpenEndTest,
    testing::Values(
        OpenCase{"no row", "# OSU MPI Latency Test v7.4", "", "there is no row"},
        OpenCase{"stopped", "# OSU MPI Latency Test v7.4", Sweep(1, 2097152, " 1.00"), "it stops at 2097152"},
        OpenCase{"one size", "# OSU MPI Latency Test v7.4", Sweep(4194304, 4194304, " 1.00"), "it begins at 4194304"},
        OpenCase{"larger than by default", "# OSU MPI Allreduce Latency Test v7.4", Sweep(4, 2097152, " 1.00"),
                 "it goes beyond 1048576"},
        OpenCase{"another interface", "# OSU OpenSHMEM Put Test v7.4", Sweep(1, 1048576, " 1.00"), "is not known"},
        OpenCase{"another test", "# OSU MPI Something Latency Test v7.4", Sweep(1, 1048576, " 1.00"), "is not known"}));

struct DamageCase {
  const char* name;
  const char* from;
  const char* to;
  const char* note;
};

class OsuDamageTest : public testing::TestWithParam<DamageCase> {};

TEST_P(OsuDamageTest, IsNoted) {
  std::string text = AllreduceLog();
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << GetParam().name;
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().name;
  ASSERT_FALSE(runs[0].notes.empty()) << GetParam().name;
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr(GetParam().note)) << GetParam().name;
  EXPECT_TRUE(runs[0].notes[0].is_damage) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, OsuDamageTest,
                         testing::Values(DamageCase{"figure is nan", "16.00", "  nan", "no whole row"},
                                         DamageCase{"row cut", "16.00", "16.00\n", "no whole row"},
                                         DamageCase{"row lost", "\n2048 ", "\nxxxx ", "missing between 1024 and 4096"},
                                         DamageCase{"column unknown", "Iterations", "Joules",
                                                    "column that is not known"}));

TEST(OsuReaderTest, ALastLineWithoutAnEndIsWholeOnlyWithItsDecimals) {
  const std::string head = "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n";
  const std::string rows = Sweep(4, 524288, " 1.00");
  EXPECT_TRUE(Read(head + rows + "1048576 230.90")[0].is_complete);
  for (const char* cut : {"1048576 230.9", "1048576 230.", "1048576 230", "1048576 2", "1048576", "1048"}) {
    const auto runs = Read(head + rows + cut);
    EXPECT_FALSE(runs[0].is_complete) << cut;
    ASSERT_FALSE(runs[0].notes.empty()) << cut;
    EXPECT_TRUE(runs[0].notes[0].is_damage) << cut;
  }
}

TEST(OsuReaderTest, LeavesAloneWhatIsNotIts) {
  EXPECT_THAT(Read(""), SizeIs(0));
  EXPECT_THAT(Read("#\n# Size Latency (us)\n1 2.00\n# OSU\n# OSU MPI\n# OSU MPI Test\n# Datatype: MPI_INT.\n"),
              SizeIs(0));
  EXPECT_THAT(Read("# OSU MPI " + std::string(kLongestHeading, 'x') + " Test v1\n"), SizeIs(0));
}

}  // namespace
}  // namespace ashlar::bench
