#include "node/checks/memory_amount.h"

#include <gtest/gtest.h>

#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

// MemTotal as the ND96isr_H200_v5 of AzNHC's conf shows it: 1,909,409,116 kB.
Files Meminfo(const std::string& total) {
  return {{"/proc/meminfo", "MemTotal:       " + total + " kB\nMemFree:        1000 kB\nMemAvailable:    2000 kB\n"}};
}

Files WithBlocks(Files files, int online, int offline) {
  files["/sys/devices/system/memory/block_size_bytes"] = "8000000\n";  // 128 MiB
  for (int block = 0; block < online + offline; ++block) {
    files[fmt::format("/sys/devices/system/memory/memory{}/state", block)] = block < online ? "online\n" : "offline\n";
  }
  return files;
}

TEST(MemoryAmount, Cases) {
  // 64 blocks of 128 MiB are 8 GiB = 8,388,608 kB; less 10 % is 7,549,747 kB.
  const std::vector<CheckCase> cases = {
      {"missing", {}, "", Verdict::kUnknown, "meminfo"},
      {"malformed", {{"/proc/meminfo", "MemTotal: lots\n"}}, "memory_bytes: 16G", Verdict::kUnknown, ""},
      {"empty", {{"/proc/meminfo", ""}}, "memory_bytes: 16G", Verdict::kUnknown, ""},
      {"nothing says how much", Meminfo("8000000"), "", Verdict::kUnknown, "node.memory_bytes"},
      {"as the size has it", Meminfo("1909409116"), "size: Standard_ND96isr_H200_v5", Verdict::kPass, ""},
      {"at the tolerance of 3 %", Meminfo("1852126843"), "size: Standard_ND96isr_H200_v5", Verdict::kPass, ""},
      {"below the tolerance", Meminfo("1852126842"), "size: Standard_ND96isr_H200_v5", Verdict::kFail, "missing"},
      {"one module of 16 short", Meminfo("1790000000"), "size: standard_nd96ISR_h200_v5", Verdict::kFail, "missing"},
      {"stated in the configuration", Meminfo("8000000"), "{memory_bytes: 8G, memory_tolerance_share: 0.05}",
       Verdict::kPass, ""},
      {"less than stated", Meminfo("8000000"), "{memory_bytes: 16G}", Verdict::kFail, "missing"},
      {"as the blocks promise", WithBlocks(Meminfo("8200000"), 64, 0), "", Verdict::kPass, ""},
      {"at the reserve", WithBlocks(Meminfo("7549748"), 64, 0), "", Verdict::kPass, ""},
      {"below the reserve", WithBlocks(Meminfo("7549746"), 64, 0), "", Verdict::kFail, "missing"},
      {"offline blocks do not count", WithBlocks(Meminfo("7900000"), 64, 64), "", Verdict::kPass, ""},
      {"no block online", WithBlocks(Meminfo("7900000"), 0, 4), "", Verdict::kUnknown, "node.memory_bytes"},
      {"block size malformed",
       {{"/proc/meminfo", "MemTotal: 8000000 kB\nMemFree: 1 kB\n"},
        {"/sys/devices/system/memory/block_size_bytes", "big"}},
       "",
       Verdict::kUnknown,
       "node.memory_bytes"},
  };
  ExpectCases(&CheckMemoryAmount, cases);
}

TEST(MemoryAmount, SaysWhereTheExpectationComesFrom) {
  const FakeMachine machine(Meminfo("1909409116"));
  const auto finding = OnlyFinding(machine.Run(&CheckMemoryAmount, "size: Standard_ND96isr_H200_v5"));
  EXPECT_EQ(finding.expectation_source, "data/node/sizes.yaml: Standard_ND96isr_H200_v5.memory_bytes");
  EXPECT_EQ(finding.value.to_number<uint64_t>(), 1'909'409'116ULL * 1024);
  EXPECT_EQ(finding.unit, "bytes");
}

}  // namespace
}  // namespace ashlar::node
