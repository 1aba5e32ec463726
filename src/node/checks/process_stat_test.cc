#include "node/checks/process_stat.h"

#include <gtest/gtest.h>

namespace ashlar::node {
namespace {

// As proc(5) has the columns: pid (comm) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime
// stime cutime cstime priority nice threads itrealvalue starttime ...
constexpr std::string_view kLine =
    "4242 (python3 (x) y) R 1 4242 4242 0 -1 4194304 1 0 0 0 36000 1500 0 0 20 0 8 0 120000 9 9";

TEST(ProcessStat, ReadsTheColumnsAfterANameWithBrackets) {
  const auto process = ParseProcessStat(kLine);
  ASSERT_TRUE(process.ok()) << process.status();
  EXPECT_EQ(process->pid, 4242);
  EXPECT_EQ(process->name, "python3 (x) y");
  EXPECT_EQ(process->state, 'R');
  EXPECT_EQ(process->parent, 1);
  EXPECT_FALSE(process->is_kernel_thread);
  EXPECT_EQ(process->processor_time, absl::Seconds(375));  // 37,500 ticks of 1/100 s
  EXPECT_EQ(process->started, absl::Seconds(1200));
}

TEST(ProcessStat, KnowsAKernelThreadByItsFlag) {
  const auto process = ParseProcessStat("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5");
  ASSERT_TRUE(process.ok());
  EXPECT_TRUE(process->is_kernel_thread);  // 2129984 is 0x208040
}

TEST(ProcessStat, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "\n", "1", "1 (a", "1 (a) ", "1 (a) S", "x (a) S 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 20 0 8 0 1",
        "0 (a) S 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 20 0 8 0 1", "1 (a) SS 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 20 0 8 0 1",
        "1 (a) S 1 1 1 0 -1 0 1 0 0 0 -1 1 0 0 20 0 8 0 1", "1 (a) S 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 20 0 8 0 x",
        "1 (a) S 1 1 1 0 -1 0 1 0 0 0 1 1 0 0 20 0 8 0",
        "1 (a) S 1 1 1 0 -1 0 1 0 0 0 9007199254740993 1 0 0 20 0 8 0 1", "1) (a S 1"}) {
    EXPECT_EQ(ParseProcessStat(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(Uptime, ReadsTheFirstNumber) {
  const auto uptime = ParseUptime("350735.47 234388.90\n");
  ASSERT_TRUE(uptime.ok());
  EXPECT_EQ(*uptime, absl::Milliseconds(350'735'470));
  for (const std::string_view text : {"", "x", "-1 2", "nan 1", "1e11 1"}) EXPECT_FALSE(ParseUptime(text).ok()) << text;
}

}  // namespace
}  // namespace ashlar::node
