#include "node/nhc/hardware_checks.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

// `sockets` processors of two cores with two threads each.
Files Cpuinfo(int sockets) {
  std::string text;
  for (int cpu = 0; cpu < sockets * 4; ++cpu) {
    text += fmt::format("processor\t: {}\nphysical id\t: {}\ncore id\t\t: {}\n\n", cpu, cpu / 4, cpu % 4 / 2);
  }
  return {{"/proc/cpuinfo", text}};
}

TEST(NhcCpuinfo, Cases) {
  const Files arm = {{"/proc/cpuinfo", "processor : 0\nBogoMIPS : 50\n\nprocessor : 1\nBogoMIPS : 50\n"}};
  const std::vector<MappedCase> cases = {
      {"missing", {"2", "4", "8"}, {}, Verdict::kUnknown, "cpuinfo"},
      {"malformed", {"2", "4", "8"}, {{"/proc/cpuinfo", "lots\n"}}, Verdict::kUnknown, "cpuinfo"},
      {"no sockets told", {"1", "2", "2"}, arm, Verdict::kUnknown, "threads alone"},
      {"threads alone", {"", "", "2"}, arm, Verdict::kPass, ""},
      {"as the line says", {"2", "4", "8"}, Cpuinfo(2), Verdict::kPass, ""},
      {"another number of sockets", {"1", "4", "8"}, Cpuinfo(2), Verdict::kFail, "not those of the line"},
      {"another number of cores", {"2", "8", "8"}, Cpuinfo(2), Verdict::kFail, "not those of the line"},
      {"more threads is a difference, too", {"2", "4", "4"}, Cpuinfo(2), Verdict::kFail, "not those of the line"},
      {"sockets alone", {"2"}, Cpuinfo(2), Verdict::kPass, ""},
  };
  ExpectMapped(&MapHwCpuinfo, cases);
  const std::vector<RefusedCase> refused = {{{}, "want a number"},
                                            {{"", ""}, "want a number"},
                                            {{"2", "x"}, "\"x\" is no whole number"},
                                            {{"2", "4", "8", "1"}, "[SOCKETS"}};
  ExpectRefused(&MapHwCpuinfo, refused);
}

TEST(NhcCpuinfo, SaysWhatItSawAndWanted) {
  const auto finding = RunMapped(&MapHwCpuinfo, {"2", "", "8"}, FakeMachine(Cpuinfo(2)));
  EXPECT_EQ(std::string_view(finding.value.get_string()), "sockets 2, cores 4, threads 8");
  EXPECT_EQ(finding.expectation, "sockets 2, cores any, threads 8");
}

// 1,000,000 kB of memory, 100,000 + 20,000 + 30,000 of them free; 50,000 of swap, 40,000 free.
Files Meminfo() {
  return {{"/proc/meminfo",
           "MemTotal: 1000000 kB\nMemFree: 100000 kB\nMemAvailable: 130000 kB\nBuffers: 20000 kB\nCached: 30000 kB\n"
           "SwapTotal: 50000 kB\nSwapFree: 40000 kB\n"}};
}

TEST(NhcPhysmem, Cases) {
  const Files no_swap = {{"/proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 1 kB\nBuffers: 1 kB\nCached: 1 kB\n"}};
  const std::vector<MappedCase> cases = {
      {"missing", {"1", "2"}, {}, Verdict::kUnknown, "meminfo"},
      {"malformed", {"1", "2"}, {{"/proc/meminfo", "MemTotal: many\n"}}, Verdict::kUnknown, "meminfo"},
      {"a line is missing", {"1", "2"}, no_swap, Verdict::kUnknown, "SwapTotal"},
      {"exact", {"1000000", "1000000kB"}, Meminfo(), Verdict::kPass, ""},
      {"below", {"1000001", "2000000"}, Meminfo(), Verdict::kFail, "too little memory"},
      {"above", {"1", "999999"}, Meminfo(), Verdict::kFail, "more memory"},
      // 3 % of what is there are 30,000 kB.
      {"at the lower edge of the fudge", {"1030000", "1030000", "3%"}, Meminfo(), Verdict::kPass, ""},
      {"below it", {"1030001", "1030001", "3%"}, Meminfo(), Verdict::kFail, "too little"},
      {"at the upper edge", {"970000", "970000", "3%"}, Meminfo(), Verdict::kPass, ""},
      {"above it", {"969999", "969999", "3%"}, Meminfo(), Verdict::kFail, "more memory"},
      {"the fudge as a size", {"1001024", "1001024", "1M"}, Meminfo(), Verdict::kPass, ""},
      {"and one kB more", {"1001025", "1001025", "1M"}, Meminfo(), Verdict::kFail, "too little"},
  };
  ExpectMapped(&MapHwPhysmem, cases);
  const std::vector<RefusedCase> refused = {{{}, "MIN MAX"},
                                            {{"1"}, "MIN MAX"},
                                            {{"", "1"}, "MIN MAX"},
                                            {{"1", "2", "3", "4"}, "MIN MAX"},
                                            {{"1.5G", "2G"}, "no size"},
                                            {{"1G", "2GiB"}, "no size"},
                                            {{"1G", "2G", "2.5%"}, "percentage"},
                                            {{"1G", "2G", "100E"}, "too large"}};
  ExpectRefused(&MapHwPhysmem, refused);
}

TEST(NhcMemory, EachReadsItsOwn) {
  const FakeMachine machine(Meminfo());
  struct Row {
    NhcMapper map;
    std::vector<std::string> passes;
    std::vector<std::string> fails;
    uint64_t kilobytes;
  };
  const std::vector<Row> rows = {
      {&MapHwPhysmemFree, {"150000"}, {"150001"}, 150000},
      {&MapHwSwap, {"50000", "50000"}, {"50001", "60000"}, 50000},
      {&MapHwSwapFree, {"40000kB"}, {"40001"}, 40000},
      {&MapHwMem, {"1050000", "1050000"}, {"1", "1049999"}, 1050000},
      {&MapHwMemFree, {"190000"}, {"190001"}, 190000},
  };
  for (const auto& row : rows) {
    const auto pass = RunMapped(row.map, row.passes, machine);
    EXPECT_EQ(pass.verdict, Verdict::kPass) << DescribeFinding(pass);
    EXPECT_EQ(pass.value.to_number<uint64_t>(), row.kilobytes * 1024);
    EXPECT_EQ(pass.unit, "bytes");
    EXPECT_EQ(RunMapped(row.map, row.fails, machine).verdict, Verdict::kFail);
  }
  const std::vector<RefusedCase> refused = {{{}, "MIN"}, {{""}, "MIN"}, {{"1", "2"}, "MIN"}, {{"some"}, "no size"}};
  ExpectRefused(&MapHwPhysmemFree, refused);
}

// The line of Azure's own files: no swap is wanted, and none is there.
TEST(NhcSwap, NoneWantedAndNoneThere) {
  Files files = Meminfo();
  files["/proc/meminfo"] =
      "MemTotal: 9 kB\nMemFree: 1 kB\nBuffers: 1 kB\nCached: 1 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
  const auto finding = RunMapped(&MapHwSwap, {"0kB", "0kB", "3%"}, FakeMachine(files));
  EXPECT_EQ(finding.verdict, Verdict::kPass) << DescribeFinding(finding);
  EXPECT_EQ(finding.expectation, "0 B give or take 3 %");
  EXPECT_EQ(RunMapped(&MapHwSwap, {"0kB", "0kB", "3%"}, FakeMachine(Meminfo())).verdict, Verdict::kFail);
}

Files NetDev() {
  return {{"/proc/net/dev",
           "Inter-| Receive | Transmit\n face | bytes | bytes\n    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n"
           "  eth0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n"}};
}

TEST(NhcEth, Cases) {
  const std::vector<MappedCase> cases = {
      {"missing", {"eth0"}, {}, Verdict::kUnknown, "net/dev"},
      {"malformed", {"eth0"}, {{"/proc/net/dev", "nothing\n"}}, Verdict::kUnknown, "net/dev"},
      {"there", {"eth0"}, NetDev(), Verdict::kPass, ""},
      {"by glob", {"et*"}, NetDev(), Verdict::kPass, ""},
      {"not there", {"ib0"}, NetDev(), Verdict::kFail, "no interface ib0"},
      {"a part of a name is none", {"eth"}, NetDev(), Verdict::kFail, "no interface eth"},
  };
  ExpectMapped(&MapHwEth, cases);
  const std::vector<RefusedCase> refused = {{{}, "INTERFACE"},           {{"a", "b"}, "INTERFACE"},
                                            {{"+(a)"}, "extended glob"}, {{"!lo"}, "no name"},
                                            {{"/eth/"}, "no name"},      {{"{eth[0-1]}"}, "no name"}};
  ExpectRefused(&MapHwEth, refused);
}

base::Finding RunIb(const std::vector<std::string>& arguments, const Files& changes) {
  FakeMachine machine;
  machine.tree = NdH100Machine();
  machine.tree.WriteAll(changes);
  return RunMapped(&MapHwIb, arguments, machine);
}

TEST(NhcIb, Cases) {
  const std::string port = "/sys/class/infiniband/mlx5_ib3/ports/1";
  struct Row {
    std::string name;
    std::vector<std::string> arguments;
    Files changes;
    Verdict verdict;
    std::string reason;
  };
  const std::vector<Row> rows = {
      {"as the line says", {"400", "mlx5_ib3:1"}, {}, Verdict::kPass, ""},
      {"any port of the device", {"400", "mlx5_ib3"}, {}, Verdict::kPass, ""},
      {"any port", {"400"}, {{port + "/state", "1: DOWN\n"}}, Verdict::kPass, ""},
      {"another rate", {"200", "mlx5_ib3:1"}, {}, Verdict::kFail, "400 Gb/s"},
      {"a higher rate is another, too", {"200"}, {}, Verdict::kFail, "mlx5_ib0:1 ACTIVE"},
      {"not active", {"400", "mlx5_ib3:1"}, {{port + "/state", "2: INIT\n"}}, Verdict::kFail, "INIT"},
      {"link down", {"400", "mlx5_ib3:1"}, {{port + "/phys_state", "3: Disabled\n"}}, Verdict::kFail, "Disabled"},
      {"no such device", {"400", "mlx5_9:1"}, {}, Verdict::kFail, "no such port"},
      {"no such port", {"400", "mlx5_ib3:2"}, {}, Verdict::kFail, "no such port"},
      {"unreadable", {"400", "mlx5_ib3:1"}, {{port + "/rate", "fast\n"}}, Verdict::kUnknown, "mlx5_ib3:1"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto finding = RunIb(row.arguments, row.changes);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
  EXPECT_EQ(RunMapped(&MapHwIb, {"400"}, FakeMachine()).verdict, Verdict::kFail);
  const std::vector<RefusedCase> refused = {{{}, "RATE"},
                                            {{"fast"}, "no rate"},
                                            {{"0"}, "no rate"},
                                            {{"400", "mlx5_0:x"}, "no whole number"},
                                            {{"400", ":1"}, "names no device"},
                                            {{"400", "a", "b"}, "RATE"}};
  ExpectRefused(&MapHwIb, refused);
}

}  // namespace
}  // namespace ashlar::node
