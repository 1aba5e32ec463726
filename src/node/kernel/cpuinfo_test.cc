#include "node/kernel/cpuinfo.h"

#include <gtest/gtest.h>

#include "node/limits.h"

namespace ashlar::node {
namespace {

// As the kernel writes it on x86 (arch/x86/kernel/cpu/proc.c), the lines in between left out.
constexpr std::string_view kTwoThreadsOfOneCore =
    "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8480C\nphysical id\t: 0\n"
    "core id\t\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\npower management:\n\n"
    "processor\t: 1\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8480C\nphysical id\t: 0\n"
    "core id\t\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\npower management:\n\n";

// As it is on arm64: no model, no places, no flag for hypervisors.
constexpr std::string_view kArm =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\n"
    "processor\t: 1\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\n";

TEST(ParseCpuinfoTest, RefusesWhatIsMalformed) {
  struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view message;
  };
  const Row rows[] = {
      {"empty", "", "no processor"},
      {"blank", "\n\n", "no processor"},
      {"no colon", "processor 0\n", "no colon"},
      {"no number", "processor\t: zero\n", "no number"},
      {"package without a number", "processor\t: 0\nphysical id\t: a\n", "no number"},
      {"core without a number", "processor\t: 0\ncore id\t: -1\n", "no number"},
      {"binary", std::string_view("\0\x01\x02", 3), "no colon"},
      {"another file", "MemTotal:  12 kB\n", "no processor"},
  };
  for (const Row& row : rows) {
    const auto info = ParseCpuinfo(row.text);
    ASSERT_FALSE(info.ok()) << row.name;
    EXPECT_EQ(info.status().code(), base::StatusCode::kInvalidArgument) << row.name;
    EXPECT_NE(base::Message(info.status()).find(row.message), std::string_view::npos) << info.status();
  }
}

TEST(ParseCpuinfoTest, ReadsThreadsCoresAndSockets) {
  const auto info = ParseCpuinfo(kTwoThreadsOfOneCore);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->threads, 2U);
  EXPECT_EQ(info->cores, 1U);
  EXPECT_EQ(info->sockets, 1U);
  EXPECT_EQ(info->model, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(info->vendor, "GenuineIntel");
  EXPECT_EQ(info->hypervisor_flag, true);
}

TEST(ParseCpuinfoTest, CountsTheSameCoreNumberOfTwoSocketsTwice) {
  const auto info = ParseCpuinfo(
      "processor: 0\nphysical id: 0\ncore id: 7\nflags: fpu\n\nprocessor: 1\nphysical id: 1\ncore id: 7\nflags: fpu\n");
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->sockets, 2U);
  EXPECT_EQ(info->cores, 2U);
  EXPECT_EQ(info->hypervisor_flag, false);
}

TEST(ParseCpuinfoTest, LeavesAbsentWhatTheProcessorDoesNotSay) {
  const auto info = ParseCpuinfo(kArm);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->threads, 2U);
  EXPECT_EQ(info->model, std::nullopt);
  EXPECT_EQ(info->sockets, std::nullopt);
  EXPECT_EQ(info->cores, std::nullopt);
  EXPECT_EQ(info->hypervisor_flag, std::nullopt);
}

TEST(ParseCpuinfoTest, CountsNoCoresWhenOneProcessorLacksItsPlace) {
  const auto info = ParseCpuinfo("processor: 0\nphysical id: 0\ncore id: 0\n\nprocessor: 1\n");
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->threads, 2U);
  EXPECT_EQ(info->cores, std::nullopt);
}

TEST(ParseCpuinfoTest, HoldsItsLimit) {
  std::string text;
  for (size_t cpu = 0; cpu < kMaxCpus; ++cpu) text += fmt::format("processor : {}\n", cpu);
  ASSERT_TRUE(ParseCpuinfo(text).ok());
  text += "processor : 1\n";
  EXPECT_EQ(ParseCpuinfo(text).status().code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::node
