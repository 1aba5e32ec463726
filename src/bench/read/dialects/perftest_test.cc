#include "bench/read/dialects/perftest.h"

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
  const auto reader = MakePerftestReader([&runs](RunRecord run) { runs.push_back(std::move(run)); });
  uint64_t number = 0;
  for (std::string_view line : base::SplitLines(text)) reader->Take({.number = ++number, .text = line});
  reader->Finish();
  return runs;
}

std::string WholeLog() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/perftest_write_bw.log",
                           {base::kMiB})
      .value();
}

// Of all notes the one that says why it is not known to be whole; "" when there is none.
std::string LastNote(const RunRecord& run) { return run.notes.empty() ? "" : run.notes.back().text; }

double Value(const RunRecord& run, size_t row, std::string_view name) {
  const Quantity* quantity = FindQuantity(run.samples.at(row), name);
  return quantity == nullptr ? -1 : quantity->value;
}

std::string Rule() { return std::string(87, '-') + "\n"; }

std::string Table(std::string_view title, std::string_view heading, std::string_view rows) {
  return fmt::format("{0}                    {1} Test\n Device : mlx5_0\n{0} {2}\n{3}{0}", Rule(), title, heading,
                     rows);
}

const char* const kBandwidth = "#bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]";

TEST(PerftestReaderTest, ReadsEveryPartOfARun) {
  const auto runs = Read(WholeLog());
  ASSERT_THAT(runs, SizeIs(1));
  const RunRecord& run = runs[0];
  EXPECT_EQ(run.dialect, "perftest");
  EXPECT_EQ(run.tool, "perftest");
  EXPECT_EQ(run.version, "");
  EXPECT_EQ(run.test, "RDMA_Write BW");
  EXPECT_EQ(run.source.first_line, 6U);
  EXPECT_EQ(run.source.last_line, 27U);
  EXPECT_TRUE(run.is_complete);
  EXPECT_THAT(run.notes, SizeIs(0));
  ASSERT_THAT(run.samples, SizeIs(3));
  const Sample& row = run.samples[1];
  EXPECT_EQ(row.line, 25U);
  EXPECT_EQ(NumberLabel(row, "size_bytes"), 65536U);
  EXPECT_EQ(row.labels.at("device"), "mlx5_0");
  EXPECT_EQ(row.labels.at("connection"), "RC");
  EXPECT_EQ(row.labels.at("link"), "IB");
  EXPECT_EQ(NumberLabel(row, "queue_pairs"), 2U);
  EXPECT_EQ(NumberLabel(row, "mtu_bytes"), 4096U);
  EXPECT_EQ(Value(run, 1, "iterations"), 5000);
  EXPECT_DOUBLE_EQ(Value(run, 1, "bandwidth_peak"), 24.53125e9);  // 196.25 / 8
  EXPECT_DOUBLE_EQ(Value(run, 1, "bandwidth_avg"), 24.5e9);
  EXPECT_DOUBLE_EQ(Value(run, 1, "message_rate"), 373840);
}

struct FormCase {
  const char* name;
  const char* title;
  const char* heading;
  const char* row;
  const char* quantity;
  double value;
};

class PerftestFormTest : public testing::TestWithParam<FormCase> {};

TEST_P(PerftestFormTest, IsReadAndWhole) {
  const FormCase& form = GetParam();
  const auto runs = Read(Table(form.title, form.heading, form.row));
  ASSERT_THAT(runs, SizeIs(1)) << form.name;
  EXPECT_EQ(runs[0].test, form.title) << form.name;
  EXPECT_TRUE(runs[0].is_complete) << form.name;
  EXPECT_THAT(runs[0].notes, SizeIs(0)) << form.name;
  ASSERT_THAT(runs[0].samples, SizeIs(1)) << form.name;
  EXPECT_DOUBLE_EQ(Value(runs[0], 0, form.quantity), form.value) << form.name;
}

const char* const kLatency =
    "#bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
    "percentile[usec]   99.9% percentile[usec] ";
const char* const kLatencyRow =
    " 2       20000          0.88           6.84         0.98     \t       1.03       \t0.20   \t\t1.21    \t\t5.42   "
    "\n";

// Rows of published logs. 65536 bytes 0.166427 million times a second are 10907 * 10^6 bytes, which 10401.68 are only
// in units of 2^20.
INSTANTIATE_TEST_SUITE_P(
    Versions, PerftestFormTest,
    testing::Values(
        FormCase{"MB of old", "RDMA_Read BW",
                 "#bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
                 " 65536      1000             10402.09            10401.68\t\t   0.166427\n", "bandwidth_avg",
                 10401.68 * 1048576},
        FormCase{"MiB", "RDMA_Write BW",
                 "#bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]",
                 " 65536      5000             11030.78            11030.45\t\t     0.176487\n", "bandwidth_peak",
                 11030.78 * 1048576},
        FormCase{"both ways", "RDMA_Write Bidirectional BW", kBandwidth,
                 " 65536      5000             390.00              388.00             0.740051\n", "bandwidth_avg",
                 48.5e9},
        FormCase{"least", "RDMA_Write Latency", kLatency, kLatencyRow, "time_min", 0.88e-6},
        FormCase{"most", "RDMA_Write Latency", kLatency, kLatencyRow, "time_max", 6.84e-6},
        FormCase{"typical", "Send Latency", kLatency, kLatencyRow, "time_typical", 0.98e-6},
        FormCase{"average", "Send Latency", kLatency, kLatencyRow, "time_avg", 1.03e-6},
        FormCase{"deviation", "Send Latency", kLatency, kLatencyRow, "time_stdev", 0.2e-6},
        FormCase{"99 %", "Send Latency", kLatency, kLatencyRow, "time_p99", 1.21e-6},
        FormCase{"99.9 %", "RDMA_Read Latency", kLatency, kLatencyRow, "time_p999", 5.42e-6},
        FormCase{"latency of old", "Send Latency", "#bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]",
                 " 2 1000 1.00 9.00 1.25\n", "time_typical", 1.25e-6},
        FormCase{"latency over a time", "Send Latency", "#bytes        #iterations       t_avg[usec]    tps average",
                 " 2       500000            1.50      333333.33\n", "transaction_rate", 333333.33},
        FormCase{"processor", "Send BW",
                 "#bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]    CPU_Util[%]",
                 " 65536      5000             0.00                8.00             0.015259\t    12.50\n", "cpu_use",
                 0.125},
        FormCase{"service levels", "Send BW",
                 "#bytes    #sl      #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
                 " 8    3           1000           1.00            1.00                  0.131072\n", "bandwidth_avg",
                 1048576},
        FormCase{"atomic", "Atomic FETCH_AND_ADD BW",
                 "#bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
                 " 8          578000           0.00               0.73               0.096329\n", "message_rate",
                 96329}));

TEST(PerftestReaderTest, APeakOfZeroWasNotMeasured) {
  const auto runs = Read(Table("Send BW", kBandwidth, " 8 578000 0.00 0.73 0.096329\n"));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(FindQuantity(runs[0].samples[0], "bandwidth_peak"), nullptr);
  EXPECT_NE(FindQuantity(runs[0].samples[0], "bandwidth_avg"), nullptr);
}

TEST(PerftestReaderTest, BothEndsInOneLogAreOneRun) {
  const std::string title = "                    RDMA_Write BW Test\n";
  const std::string heading = std::string(" ") + kBandwidth + "\n";
  const std::string row = " 1024       5000             40.50              40.00              4.882812\n";
  const std::string last = " 2048       5000             80.00              79.00              4.821777\n";
  const std::string begun = Rule() + title + Rule() + title + Rule() + Rule() + heading + heading + row + last + Rule();
  const auto runs = Read(begun + last + Rule() + "$ exit\n");
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  EXPECT_THAT(runs[0].samples, SizeIs(2));
  const auto cut = Read(begun + last);
  ASSERT_THAT(cut, SizeIs(1));
  EXPECT_FALSE(cut[0].is_complete);
  EXPECT_THAT(LastNote(cut[0]), HasSubstr("2 copies wrote into this log, and 1 of them ended"));
}

TEST(PerftestReaderTest, RunsFollowEachOther) {
  const auto runs =
      Read(WholeLog() + Table("Send Latency", kLatency, kLatencyRow) + "some shell output\n" + WholeLog());
  ASSERT_THAT(runs, SizeIs(3));
  for (const RunRecord& run : runs) EXPECT_TRUE(run.is_complete);
  EXPECT_EQ(runs[1].test, "Send Latency");
  EXPECT_FALSE(runs[1].samples[0].labels.contains("queue_pairs"));
}

struct OpenCase {
  const char* name;
  std::string text;
  const char* why;
};

class PerftestOpenEndTest : public testing::TestWithParam<OpenCase> {};

TEST_P(PerftestOpenEndTest, IsNotKnownToBeWhole) {
  const auto runs = Read(GetParam().text);
  ASSERT_FALSE(runs.empty()) << GetParam().name;
  EXPECT_FALSE(runs[0].is_complete) << GetParam().name;
  EXPECT_THAT(LastNote(runs[0]), HasSubstr(GetParam().why)) << GetParam().name;
}

std::string WithoutEnd() {
  const std::string text = WholeLog();
  return text.substr(0, text.size() - Rule().size());
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, PerftestOpenEndTest,
    testing::Values(
        OpenCase{"cut behind the rows", WithoutEnd(), "dashed line that ends the table is missing"},
        OpenCase{"a job's own separator", WithoutEnd() + std::string(80, '-') + "\n", "is missing"},
        OpenCase{"the next start's box", WithoutEnd() + Table("RDMA_Write BW", kBandwidth, ""), "is missing"},
        OpenCase{"the next start's message",
                 WithoutEnd() + Rule() + "Device not recognized to implement inline feature.\n", "is missing"},
        OpenCase{"no row", Table("Send BW", kBandwidth, ""), "there is no row"},
        OpenCase{"no table", "                    Send BW Test\n", "there is no table"}));

struct DamageCase {
  const char* name;
  const char* from;
  const char* to;
  const char* note;
};

class PerftestDamageTest : public testing::TestWithParam<DamageCase> {};

TEST_P(PerftestDamageTest, IsNoted) {
  std::string text = WholeLog();
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << GetParam().name;
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto runs = Read(text);
  ASSERT_THAT(runs, SizeIs(1)) << GetParam().name;
  ASSERT_FALSE(runs[0].notes.empty()) << GetParam().name;
  EXPECT_THAT(runs[0].notes[0].text, HasSubstr(GetParam().note)) << GetParam().name;
  EXPECT_TRUE(runs[0].notes[0].is_damage) << GetParam().name;
}

// "2465.901216.65" are two figures of a published log that ran into each other.
INSTANTIATE_TEST_SUITE_P(
    Kinds, PerftestDamageTest,
    testing::Values(DamageCase{"figures run together", "196.25             196.00", "2465.901216.65", "no whole row"},
                    DamageCase{"nan", "196.00", "nan", "no whole row"},
                    DamageCase{"minus", "196.00", "-1.0", "no whole"},
                    DamageCase{"row cut", "196.00", "\n", "no whole row"},
                    DamageCase{"column unknown", "MsgRate[Mpps]", "Joules", "column that is not known"}));

TEST(PerftestReaderTest, AVaryingClockIsNoted) {
  const auto runs =
      Read(Table("Send BW", kBandwidth,
                 "Conflicting CPU frequency values detected: 2200.000000 != 1040.353000. CPU Frequency is "
                 "not max.\n 8 1000 2.00 1.00 0.015625\n"));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_TRUE(runs[0].is_complete);
  ASSERT_THAT(runs[0].notes, SizeIs(1));
  EXPECT_FALSE(runs[0].notes[0].is_damage);
}

TEST(PerftestReaderTest, LeavesAloneWhatIsNotIts) {
  EXPECT_THAT(Read(""), SizeIs(0));
  EXPECT_THAT(Read(Rule() + "8 1000 2.00\nDevice : x\n# OSU MPI Latency Test v7\nSpeed BW Test\n#bytes\n"), SizeIs(0));
  // IMB's heading begins with the same word.
  EXPECT_THAT(Read("#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n0 1000 1.00 1.00 1.00\n"), SizeIs(0));
  EXPECT_THAT(Read("Send " + std::string(kLongestHeading, 'x') + " BW Test\n"), SizeIs(0));
}

}  // namespace
}  // namespace ashlar::bench
