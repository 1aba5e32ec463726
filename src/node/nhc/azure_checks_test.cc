#include "node/nhc/azure_checks.h"

#include <gtest/gtest.h>

#include "node/nhc/nhc_testing.h"

namespace ashlar::node {
namespace {

using base::Verdict;

// A change of the second of two healthy GPUs.
using Change = std::function<void(Gpu&)>;

FakeMachine WithGpus(const Change& change) {
  FakeMachine machine(NvidiaOnPci(2));
  GpuInventory inventory = HealthyGpus(2);
  for (auto& gpu : inventory.gpus) {
    gpu.maximum_clocks = {.sm_mhz = 1980, .memory_mhz = 2619};
    gpu.application_clocks = gpu.maximum_clocks;
  }
  change(inventory.gpus[1]);
  machine.gpus.insert({GpuVendor::kNvidia, inventory});
  return machine;
}

struct GpuCase {
  std::string name;
  NhcMapper map;
  std::vector<std::string> arguments;
  Change change;
  Verdict verdict;
  std::string reason;
};

void ExpectGpuCases(const std::vector<GpuCase>& cases) {
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    const auto finding = RunMapped(row.map, row.arguments, WithGpus(row.change));
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
}

TEST(NhcGpus, CountClocksLinksAndModes) {
  const auto none = [](Gpu&) {};
  ExpectGpuCases({
      {"both", &MapGpuCount, {"2"}, none, Verdict::kPass, ""},
      {"one missing", &MapGpuCount, {"3", "nvidia"}, none, Verdict::kFail, "1 GPUs are missing"},
      {"one too many", &MapGpuCount, {"1"}, none, Verdict::kFail, "more than the line says"},
      {"none wanted", &MapGpuCount, {"0"}, none, Verdict::kFail, "more than the line says"},
      {"one lost",
       &MapGpuCount,
       {"2"},
       [](Gpu& gpu) { gpu.handle = base::Error(base::StatusCode::kUnavailable, "GPU is lost"); },
       Verdict::kFail,
       "GPU is lost"},
      {"persistence on", &MapGpuPersistence, {}, none, Verdict::kPass, ""},
      {"persistence off", &MapGpuPersistence, {}, [](Gpu& gpu) { gpu.persistence = false; }, Verdict::kFail, "GPU 1"},
      {"idle", &MapGpuClockThrottling, {}, none, Verdict::kPass, ""},
      {"hot, though idle",
       &MapGpuClockThrottling,
       {},
       [](Gpu& gpu) { gpu.throttle_reasons = kThrottleIdle | kThrottleHardwareThermal; },
       Verdict::kFail,
       "GPU 1"},
      {"all links", &MapNvlinkStatus, {}, none, Verdict::kPass, ""},
      {"one link off",
       &MapNvlinkStatus,
       {},
       [](Gpu& gpu) { (*gpu.links)[3].active = false; },
       Verdict::kFail,
       "17 of 18"},
      {"clocks at their maximum", &MapAppGpuClocks, {}, none, Verdict::kPass, ""},
      {"clocks below",
       &MapAppGpuClocks,
       {},
       [](Gpu& gpu) { gpu.application_clocks.sm_mhz = 1400; },
       Verdict::kFail,
       "1400 of 1980 MHz"},
      {"clocks not told",
       &MapAppGpuClocks,
       {},
       [](Gpu& gpu) { gpu.application_clocks = {}; },
       Verdict::kUnknown,
       "GPU 1"},
  });
}

TEST(NhcGpus, EccTotalsAreJudgedOnlyWhereTheyProve) {
  const std::vector<std::string> azure = {"20000000", "10000"};  // the limits of every file of AzNHC
  const auto corrected = [](uint64_t errors) { return [errors](Gpu& gpu) { gpu.ecc.volatile_corrected = errors; }; };
  ExpectGpuCases({
      {"healthy", &MapGpuEcc, azure, [](Gpu&) {}, Verdict::kPass, ""},
      {"as many as SRAM may have", &MapGpuEcc, azure, corrected(10'000), Verdict::kPass, ""},
      {"more, in one of the two", &MapGpuEcc, azure, corrected(10'001), Verdict::kUnknown, "in SRAM or DRAM"},
      {"as many as both may have", &MapGpuEcc, azure, corrected(20'010'000), Verdict::kUnknown, "in SRAM or DRAM"},
      {"more than both may have", &MapGpuEcc, azure, corrected(20'010'001), Verdict::kFail, "20010001 corrected"},
      {"one uncorrected", &MapGpuEcc, azure, [](Gpu& gpu) { gpu.ecc.aggregate_uncorrected = 1; }, Verdict::kUnknown,
       "1 uncorrected errors, in SRAM or DRAM"},
      {"one uncorrected, none allowed",
       &MapGpuEcc,
       {"0", "0"},
       [](Gpu& gpu) { gpu.ecc.volatile_uncorrected = 1; },
       Verdict::kFail,
       "1 uncorrected"},
      {"counts not told", &MapGpuEcc, azure, [](Gpu& gpu) { gpu.ecc.aggregate_corrected.reset(); }, Verdict::kUnknown,
       "no error counts"},
      {"rows pending", &MapGpuEcc, azure, [](Gpu& gpu) { gpu.remapped_rows->pending = true; }, Verdict::kFail,
       "waits for a reset"},
      {"rows failed", &MapGpuEcc, azure, [](Gpu& gpu) { gpu.remapped_rows->failed = true; }, Verdict::kFail,
       "no spare rows"},
      {"an older board", &MapGpuEcc, azure, [](Gpu& gpu) { gpu.remapped_rows.reset(); }, Verdict::kUnknown,
       "retired pages are not read"},
      {"lost", &MapGpuEcc, azure,
       [](Gpu& gpu) { gpu.handle = base::Error(base::StatusCode::kUnavailable, "GPU is lost"); }, Verdict::kFail,
       "GPU is lost"},
  });
}

// A GPU that fell off the bus is not there for PCI either: no line about GPUs may pass or be left out then.
TEST(NhcGpus, AMachineWithoutGpusIsNoPass) {
  EXPECT_EQ(RunMapped(&MapGpuCount, {"8"}, FakeMachine()).verdict, Verdict::kFail);
  for (const NhcMapper map : {&MapGpuPersistence, &MapGpuClockThrottling, &MapNvlinkStatus, &MapAppGpuClocks}) {
    const auto finding = RunMapped(map, {}, FakeMachine());
    EXPECT_EQ(finding.verdict, Verdict::kUnknown) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find("the line asks for one"), std::string::npos) << finding.reason;
  }
  EXPECT_EQ(RunMapped(&MapGpuEcc, {"1", "1"}, FakeMachine()).verdict, Verdict::kUnknown);
}

TEST(NhcGpus, GpusWithoutNvlink) {
  FakeMachine machine(NvidiaOnPci(1));
  GpuInventory inventory = HealthyGpus(1);
  inventory.gpus[0].links->clear();
  machine.gpus.insert({GpuVendor::kNvidia, inventory});
  EXPECT_EQ(RunMapped(&MapNvlinkStatus, {}, machine).verdict, Verdict::kNotApplicable);
}

// The design of the size counts: 12 of 18 links on the NC H100 with two GPUs (data/node/sizes.yaml).
TEST(NhcGpus, LinksByDesignOfTheSize) {
  FakeMachine machine(NvidiaOnPci(2));
  GpuInventory inventory = HealthyGpus(2);
  for (auto& gpu : inventory.gpus) {
    for (size_t link = 12; link < gpu.links->size(); ++link) (*gpu.links)[link].active = false;
  }
  machine.gpus.insert({GpuVendor::kNvidia, inventory});
  EXPECT_EQ(RunMapped(&MapNvlinkStatus, {}, machine).verdict, Verdict::kUnknown);
  const auto finding = RunMapped(&MapNvlinkStatus, {}, machine, "size: Standard_NC80adis_H100_v5");
  EXPECT_EQ(finding.verdict, Verdict::kPass) << DescribeFinding(finding);
}

// Up for 100,000 s; `xid` was seen 27 hours after the boot.
Files XidLog(int xid) {
  Files files = NvidiaOnPci(1);
  files["/proc/uptime"] = "100000.00 1.00\n";
  files["/dev/kmsg"] = fmt::format("6,0,1,-;fine\n3,1,98000000000,-;NVRM: Xid (PCI:0000:3b:00): {}, pid=1\n", xid);
  return files;
}

TEST(NhcGpuXid, Cases) {
  const Files no_gpu = {{"/proc/uptime", "9.0 1.0"}, {"/dev/kmsg", "6,0,1,-;fine\n"}};
  Files quiet = NvidiaOnPci(1);
  quiet.insert(no_gpu.begin(), no_gpu.end());
  const std::vector<MappedCase> cases = {
      {"no log", {}, {}, Verdict::kUnknown, ""},
      {"quiet", {}, quiet, Verdict::kPass, ""},
      {"quiet, and no GPU", {}, no_gpu, Verdict::kUnknown, "the line asks for one"},
      {"off the bus", {}, XidLog(79), Verdict::kFail, "xid-79"},
      {"within the hours", {"1"}, XidLog(79), Verdict::kFail, "xid-79"},
      // AzNHC's list lacks this one: the catalogue has it.
      {"contained", {}, XidLog(95), Verdict::kFail, "xid-95"},
      // The catalogue only notes this one: AzNHC fails it.
      {"only on AzNHC's list", {}, XidLog(69), Verdict::kFail, "AzNHC fails these"},
      {"a job's own doing", {}, XidLog(13), Verdict::kPass, ""},
      {"on no list", {}, XidLog(999), Verdict::kUnknown, "xid-999"},
  };
  ExpectMapped(&MapGpuXid, cases);
  // 98,000 s after the boot is 2,000 s ago; 100,000 s later it is out of an hour's window.
  Files later = XidLog(79);
  later["/proc/uptime"] = "200000.00 1.00\n";
  EXPECT_EQ(RunMapped(&MapGpuXid, {"1"}, FakeMachine(later)).verdict, Verdict::kPass);
  EXPECT_EQ(RunMapped(&MapGpuXid, {}, FakeMachine(later)).verdict, Verdict::kFail);
}

Files Disks(const std::vector<std::string>& states) {
  Files files;
  for (size_t index = 0; index < states.size(); ++index) {
    files[fmt::format("/sys/class/nvme/nvme{}/state", index)] = states[index];
  }
  return files;
}

TEST(NhcNvmeCount, Cases) {
  const std::vector<MappedCase> cases = {
      {"all", {"2"}, Disks({"live", "live"}), Verdict::kPass, ""},
      {"one missing", {"3"}, Disks({"live", "live"}), Verdict::kFail, "1 NVMe disks are missing"},
      {"one dead", {"2"}, Disks({"live", "dead"}), Verdict::kFail, "nvme1 (dead)"},
      {"one too many", {"1"}, Disks({"live", "live"}), Verdict::kFail, "more than the line says"},
      {"none, as wanted", {"0"}, {}, Verdict::kPass, ""},
  };
  ExpectMapped(&MapNvmeCount, cases);
}

struct FlapCase {
  std::string name;
  std::vector<std::string> arguments;
  Files changes;
  Verdict verdict;
  std::string reason;
};

TEST(NhcLinkFlapping, Cases) {
  const std::string downed = "/sys/class/infiniband/mlx5_ib3/ports/1/counters/link_downed";
  const std::string old = "1000000.00 1.00\n";  // 11.6 days
  const std::string young = "7200.00 1.00\n";
  const std::vector<FlapCase> cases = {
      {"never", {}, {{"/proc/uptime", old}}, Verdict::kPass, ""},
      {"once", {}, {{downed, "1\n"}, {"/proc/uptime", old}}, Verdict::kPass, ""},
      {"twice, and not known when",
       {},
       {{downed, "2\n"}, {"/proc/uptime", old}},
       Verdict::kUnknown,
       "mlx5_ib3:1 2 times"},
      {"twice since a young boot",
       {},
       {{downed, "2\n"}, {"/proc/uptime", young}},
       Verdict::kFail,
       "mlx5_ib3:1 2 times"},
      {"younger than the hours", {"3"}, {{downed, "2\n"}, {"/proc/uptime", young}}, Verdict::kFail, "check cable"},
      {"older than the hours", {"1"}, {{downed, "2\n"}, {"/proc/uptime", young}}, Verdict::kUnknown, "kernel log"},
      {"no uptime", {}, {{downed, "2\n"}}, Verdict::kUnknown, "kernel log"},
      {"no counter", {}, {{downed, "many\n"}}, Verdict::kUnknown, "mlx5_ib3:1 gives no count"},
  };
  for (const auto& row : cases) {
    SCOPED_TRACE(row.name);
    FakeMachine machine;
    machine.tree = NdH100Machine();
    machine.tree.WriteAll(row.changes);
    const auto finding = RunMapped(&MapIbLinkFlapping, row.arguments, machine);
    EXPECT_EQ(finding.verdict, row.verdict) << DescribeFinding(finding);
    EXPECT_NE(finding.reason.find(row.reason), std::string::npos) << DescribeFinding(finding);
  }
  EXPECT_EQ(RunMapped(&MapIbLinkFlapping, {}, FakeMachine()).verdict, Verdict::kUnknown);
}

TEST(NhcAzure, Refused) {
  ExpectRefused(
      &MapGpuCount,
      std::vector<RefusedCase>{
          {{}, "COUNT"}, {{""}, "COUNT"}, {{"eight"}, "no whole number"}, {{"8", "intel"}, "no kind of GPU"}});
  ExpectRefused(&MapNvmeCount, std::vector<RefusedCase>{{{}, "COUNT"}, {{"-1"}, "no whole number"}});
  ExpectRefused(&MapGpuEcc, std::vector<RefusedCase>{{{}, "DRAM and SRAM"}, {{"1"}, "DRAM"}, {{"1", "x"}, "\"x\""}});
  ExpectRefused(&MapGpuXid, std::vector<RefusedCase>{{{"/var/log/syslog"}, "another log"},
                                                     {{"0"}, "no number of hours"},
                                                     {{"8785"}, "no number of hours"},
                                                     {{"1", "2"}, "HOURS"}});
  ExpectRefused(&MapIbLinkFlapping,
                std::vector<RefusedCase>{{{"6", "2"}, "differs between versions"}, {{"x"}, "no number of hours"}});
  for (const NhcMapper map : {&MapGpuPersistence, &MapGpuClockThrottling, &MapNvlinkStatus, &MapAppGpuClocks}) {
    ExpectRefused(map, std::vector<RefusedCase>{{{"1"}, "no argument"}});
  }
}

}  // namespace
}  // namespace ashlar::node
