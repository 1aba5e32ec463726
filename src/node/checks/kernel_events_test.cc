#include "node/checks/kernel_events.h"

#include <gtest/gtest.h>

#include <set>

namespace ashlar::node {
namespace {

const KernelEventRules& Rules() {
  static const auto rules = KernelEventRules::Load();
  return *rules;
}

struct LineCase {
  std::string_view line;
  std::string_view class_id;
  std::string_view id;
  std::string_view subject;
  FaultOf fault;
};

TEST(KernelEvents, LinesAsKernelsAndDriversWriteThem) {
  // Texts: Linux 6.1 sources of the functions named in data/node/kernel_events.yaml; the Xid lines are of NVIDIA's Xid
  // documentation.
  const std::vector<LineCase> cases = {
      {"mce: [Hardware Error]: Machine check events logged", "machine-check", "machine-check", "", FaultOf::kMachine},
      {"EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0", "machine-check",
       "uncorrected-memory-error", "", FaultOf::kMachine},
      {"EDAC MC1: 3 CE memory scrubbing error on DIMM_A1", "machine-check", "corrected-memory-error", "",
       FaultOf::kNoted},
      {"Memory failure: 0x12345: recovery action for dirty LRU page: Recovered", "machine-check", "poisoned-page", "",
       FaultOf::kMachine},
      {"{1}[Hardware Error]: event severity: fatal", "machine-check", "hardware-error", "", FaultOf::kMachine},
      {"watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [rank:4242]", "kernel-fault", "soft-lockup", "",
       FaultOf::kMachine},
      {"rcu: INFO: rcu_sched self-detected stall on CPU", "kernel-fault", "rcu-stall", "", FaultOf::kMachine},
      {"INFO: task fsync:99 blocked for more than 120 seconds.", "kernel-fault", "hung-task", "", FaultOf::kMachine},
      {"Oops: 0000 [#1] SMP PTI", "kernel-fault", "oops", "", FaultOf::kMachine},
      {"Out of memory: Killed process 4242 (python3) total-vm:1kB", "out-of-memory", "out-of-memory", "",
       FaultOf::kMachine},
      {"Memory cgroup out of memory: Killed process 4242 (python3)", "out-of-memory", "group-out-of-memory", "",
       FaultOf::kNoted},
      {"NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus.", "gpu", "xid-79",
       "PCI:0000:3b:00", FaultOf::kMachine},
      {"NVRM: Xid (PCI:0000:3b:00): 31, pid=1234, name=python, Ch 00000008", "gpu", "xid-31", "PCI:0000:3b:00",
       FaultOf::kNoted},
      {"NVRM: Xid (PCI:0000:3b:00): 4711, something new", "gpu", "xid-4711", "PCI:0000:3b:00", FaultOf::kUnlisted},
      {"nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO", "gpu",
       "sxid-28006", "PCI:0000:c1:00.0", FaultOf::kNoted},
      {"nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up", "gpu", "sxid-20034",
       "PCI:0000:c1:00.0", FaultOf::kMachine},
      {"amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!", "gpu", "gpu-reset", "", FaultOf::kMachine},
      {"I/O error, dev sda, sector 123456 op 0x0:(READ) flags 0x0", "disk", "input-output-error", "",
       FaultOf::kMachine},
      {"EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2", "disk", "file-system-error", "",
       FaultOf::kMachine},
      {"EXT4-fs (sda1): Remounting filesystem read-only", "disk", "remounted-read-only", "", FaultOf::kMachine},
      {"nvme nvme0: I/O 22 QID 5 timeout, aborting", "disk", "nvme-timeout", "", FaultOf::kMachine},
      {"NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out", "network", "transmit-timeout", "",
       FaultOf::kMachine},
      {"e1000e 0000:00:19.0 eth0: Reset adapter unexpectedly", "network", "adapter-reset", "", FaultOf::kMachine},
  };
  for (const auto& row : cases) {
    const auto event = Rules().Match(row.line);
    ASSERT_TRUE(event.has_value()) << row.line;
    EXPECT_EQ(event->class_id, row.class_id) << row.line;
    EXPECT_EQ(event->id, row.id) << row.line;
    EXPECT_EQ(event->subject, row.subject) << row.line;
    EXPECT_EQ(event->fault, row.fault) << row.line;
    EXPECT_FALSE(event->action.empty()) << row.line;
  }
}

TEST(KernelEvents, HarmlessLinesAreNoEvents) {
  for (const std::string_view line :
       {"EXT4-fs (vda): mounted filesystem with ordered data mode",
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module 550", "mce: CPU supports 22 MCE banks", "EDAC MC: Ver: 3.0.0",
        "eth0: NIC Link is Up 10 Gbps", "NVRM: Xid without number", "NVRM: Xid (PCI:0000:3b:00): x",
        "NVRM: Xid (PCI:0000:3b:00", "", "Xid ()", "rcu: Hierarchical RCU implementation."}) {
    EXPECT_FALSE(Rules().Match(line).has_value()) << line;
  }
}

TEST(KernelEvents, GroupsByKindAndSubjectWithTimesAndCount) {
  const auto log = ParseKernelLog(
      "3,0,1000000,-;NVRM: Xid (PCI:0000:3b:00): 31, first\n"
      "3,1,2000000,-;NVRM: Xid (PCI:0000:3c:00): 31, other GPU\n"
      "11,2,2500000,-;NVRM: Xid (PCI:0000:3b:00): 31, a program wrote this\n"
      "3,3,3000000,-;NVRM: Xid (PCI:0000:3b:00): 31, last\n");
  ASSERT_TRUE(log.ok());
  const auto events = FindKernelEvents(Rules(), *log, absl::ZeroDuration());
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].count, 2U);
  EXPECT_EQ(events[0].first_seen, absl::Seconds(1));
  EXPECT_EQ(events[0].last_seen, absl::Seconds(3));
  EXPECT_EQ(events[0].text, "NVRM: Xid (PCI:0000:3b:00): 31, last");
  EXPECT_EQ(events[1].count, 1U);
}

TEST(KernelEvents, TheWindowBeginsAtItsFirstInstant) {
  const auto log = ParseKernelLog("3,0,1000000,-;Oops: a\n3,1,2000000,-;Oops: b\n");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(FindKernelEvents(Rules(), *log, absl::Seconds(2))[0].count, 1U);
  EXPECT_TRUE(FindKernelEvents(Rules(), *log, absl::Seconds(2.5)).empty());
}

TEST(KernelEvents, JsonHoldsTimesAndNeverIllFormedText) {
  KernelEvent event{.id = "xid-79",
                    .subject = "PCI\xff",
                    .text = "\xff",
                    .first_seen = absl::Seconds(1),
                    .last_seen = absl::Seconds(2),
                    .count = 3};
  const auto json = KernelEventToJson(event, absl::FromUnixSeconds(0));
  EXPECT_EQ(*base::GetString(json, "first_seen"), "1970-01-01T00:00:01.000000Z");
  EXPECT_EQ(*base::GetString(json, "last_seen"), "1970-01-01T00:00:02.000000Z");
  EXPECT_EQ(*base::GetInt(json, "count"), 3);
  EXPECT_TRUE(base::IsUtf8(base::WriteJson(json)));
}

// Both files say where their numbers are from; the numbers that Azure's own node check treats as a fault are all here.
TEST(KernelEvents, TheCatalogueHasItsSourcesAndTheNumbersOfTheField) {
  for (const std::string_view file : {"node/xid.yaml", "node/kernel_events.yaml"}) {
    const auto json = base::EmbeddedYaml(file);
    ASSERT_TRUE(json.ok()) << json.status();
    EXPECT_TRUE(base::GetString(*json, "source").ok());
    EXPECT_TRUE(base::GetString(*json, "date").ok());
  }
  // Azure/azurehpc-health-checks 0.4.5, check_gpu_xid, without 68, 69, 80 (a program can cause these; NVIDIA says
  // restart the program for 68 and 69).
  for (const int number : {48, 56, 57, 58, 62, 63, 64, 65, 73, 74, 79, 80, 81, 92, 119, 120}) {
    const auto event = Rules().Match(fmt::format("NVRM: Xid (PCI:0000:01:00): {}, x", number));
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->fault, FaultOf::kMachine) << number;
  }
}

}  // namespace
}  // namespace ashlar::node
