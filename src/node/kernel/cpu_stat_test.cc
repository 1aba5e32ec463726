#include "node/kernel/cpu_stat.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

TEST(ParseCpuStatTest, RefusesWhatIsMalformed) {
  struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view message;
  };
  const Row rows[] = {
      {"empty", "", "no line `cpu`"},
      {"no total", "cpu0 1 2 3 4\n", "no line `cpu`"},
      {"three columns", "cpu  1 2 3\n", "no times"},
      {"a column that is no number", "cpu  1 2 x 4\n", "no times"},
      {"negative", "cpu  1 2 -3 4\n", "no times"},
      {"no processor number", "cpu  1 2 3 4\ncpux 1 2 3 4\n", "no processor number"},
      {"a number beyond the limit", "cpu  1 2 3 4\ncpu8192 1 2 3 4\n", "no processor number"},
      {"twice", "cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu0 1 2 3 4\n", "out of order"},
      {"backwards", "cpu  1 2 3 4\ncpu1 1 2 3 4\ncpu0 1 2 3 4\n", "out of order"},
      {"no number after btime", "cpu  1 2 3 4\nbtime soon\n", "no number"},
      {"cut short", "cpu  1 2 3 4\nctxt", "no number"},
  };
  for (const Row& row : rows) {
    CpuStat stat;
    const base::Status status = ParseCpuStat(row.text, stat);
    EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_NE(base::Message(status).find(row.message), std::string_view::npos) << row.name << ": " << status;
  }
}

// Columns and lines as in proc(5).
constexpr std::string_view kText =
    "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu2 11 12 13 14 15 16 17 18 19 20\n"
    "intr 300 1 2 3\nctxt 400\nbtime 1760000000\nprocesses 500\nprocs_running 6\nprocs_blocked 7\nsoftirq 1 2 3\n";

TEST(ParseCpuStatTest, ReadsTimesAndCounts) {
  CpuStat stat;
  ASSERT_TRUE(ParseCpuStat(kText, stat).ok());
  ASSERT_EQ(stat.cpus.size(), 2U);
  EXPECT_EQ(stat.cpus[1].cpu, 2U) << "cpu1 is offline";
  EXPECT_EQ(stat.cpus[1].ticks[kSteal], 18U);
  EXPECT_EQ(stat.cpus[0].ticks[kGuestNice], 10U);
  EXPECT_EQ(stat.total.ticks[kUser], 10U);
  EXPECT_EQ(stat.boot_time_seconds, 1760000000U);
  EXPECT_EQ(stat.interrupts, 300U);
  EXPECT_EQ(stat.context_switches, 400U);
  EXPECT_EQ(stat.forks, 500U);
  EXPECT_EQ(stat.running, 6U);
  EXPECT_EQ(stat.blocked, 7U);
}

TEST(ParseCpuStatTest, ForgetsTheTextBefore) {
  CpuStat stat;
  ASSERT_TRUE(ParseCpuStat(kText, stat).ok());
  ASSERT_TRUE(ParseCpuStat("cpu  1 2 3 4\n", stat).ok());
  EXPECT_TRUE(stat.cpus.empty());
  EXPECT_EQ(stat.boot_time_seconds, std::nullopt);
  EXPECT_EQ(stat.total.ticks[kIowait], 0U) << "old kernels have four columns";
}

TEST(ParseCpuStatTest, HoldsItsLimit) {
  std::string text = "cpu  1 2 3 4\n";
  for (size_t cpu = 0; cpu < kMaxCpus; ++cpu) text += fmt::format("cpu{} 1 2 3 4\n", cpu);
  CpuStat stat;
  ASSERT_TRUE(ParseCpuStat(text, stat).ok());
  EXPECT_EQ(stat.cpus.size(), kMaxCpus);
  text += fmt::format("cpu{} 1 2 3 4\n", kMaxCpus);
  EXPECT_FALSE(ParseCpuStat(text, stat).ok());
}

TEST(ParseLoadAverageTest, ReadsThreeNumbers) {
  const auto load = ParseLoadAverage("0.20 1.18 10.12 1/80 11206\n");
  ASSERT_TRUE(load.ok()) << load.status();
  EXPECT_DOUBLE_EQ(load->one_minute, 0.20);
  EXPECT_DOUBLE_EQ(load->five_minutes, 1.18);
  EXPECT_DOUBLE_EQ(load->fifteen_minutes, 10.12);
}

TEST(ParseLoadAverageTest, RefusesWhatIsMalformed) {
  for (const std::string_view text : {"", "1", "1 2", "1 2 x", "-1 2 3", "nan 1 2", "inf 1 2"}) {
    EXPECT_EQ(ParseLoadAverage(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace ashlar::node
