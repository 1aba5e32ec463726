#include "node/identity.h"

#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"
#include "node/fake_tree_testing.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

const base::FakeClock kClock(absl::FromUnixSeconds(1'760'000'500));

IdentitySources SourcesOf(const FakeTree& tree) {
  IdentitySources sources;
  sources.system = tree.reader();
  sources.gpus = NoGpuSources();
  sources.nic_statistics = nullptr;
  sources.clock = &kClock;
  return sources;
}

bool IsUnknown(const Identity& identity, std::string_view field) {
  for (const Unknown& unknown : identity.unknowns) {
    if (unknown.field == field) return true;
  }
  return false;
}

TEST(ReadIdentityTest, KnowsAnNdH100) {
  const FakeTree tree = NdH100Machine();
  IdentitySources sources = SourcesOf(tree);
  sources.gpus = FakeGpuSources();
  sources.azure = [](const std::string&) -> base::StatusOr<std::string> {
    return std::string(R"({"compute":{"vmSize":"Standard_ND96isr_H100_v5","platformFaultDomain":"1","zone":"2"}})");
  };
  const Identity identity = ReadIdentity(sources);
  EXPECT_EQ(identity.host_name, "nd-0001");
  EXPECT_EQ(identity.kernel, "5.15.0-1068-azure");
  EXPECT_EQ(identity.os_id, "debian");
  EXPECT_EQ(identity.os_version, "12");
  EXPECT_EQ(identity.boot_id, "0f8fad5b-d9cb-469f-a165-70867728950e");
  EXPECT_EQ(identity.boot_time, absl::FromUnixSeconds(1'760'000'000));
  EXPECT_EQ(identity.read_at, kClock.Now());
  EXPECT_EQ(identity.virtualisation.kind, "azure");
  EXPECT_EQ(identity.cpu.model, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(identity.cpu.sockets, 2U);
  EXPECT_EQ(identity.cpu.cores, 96U);
  EXPECT_EQ(identity.cpu.threads, 96U);
  ASSERT_EQ(identity.numa_nodes.size(), 2U);
  EXPECT_EQ(identity.numa_nodes[1].cpus.front(), 48U);
  EXPECT_EQ(identity.numa_nodes[1].memory_total_bytes, 1'020'054'732'800U);  // half of 1,900 GiB
  EXPECT_EQ(identity.memory_total_bytes, 2'040'109'465'600U);                // 1,900 GiB
  EXPECT_EQ(identity.disks.size(), 9U);
  EXPECT_EQ(identity.mounts.size(), 4U);
  EXPECT_EQ(identity.mounts[0].mount_point, "/");
  EXPECT_EQ(identity.nics.size(), 3U);
  EXPECT_EQ(identity.rdma_devices.size(), 8U);
  ASSERT_EQ(identity.gpu_inventories.size(), 2U);
  EXPECT_EQ(identity.gpu_inventories[0].gpus.size(), 8U);
  ASSERT_TRUE(identity.azure.has_value());
  EXPECT_EQ(identity.azure->size, "Standard_ND96isr_H100_v5");
  EXPECT_TRUE(identity.unknowns.empty()) << identity.unknowns.front().field << ": " << identity.unknowns.front().reason;
}

TEST(ReadIdentityTest, KnowsAnHb) {
  const FakeTree tree = HbMachine();
  const Identity identity = ReadIdentity(SourcesOf(tree));
  EXPECT_EQ(identity.cpu.threads, 176U);
  EXPECT_EQ(identity.numa_nodes.size(), 4U);
  EXPECT_EQ(identity.rdma_devices.size(), 1U);
  EXPECT_TRUE(identity.gpu_inventories.empty());
  EXPECT_TRUE(IsUnknown(identity, "gpus.nvidia")) << "no library is a reason, not a silence";
  EXPECT_FALSE(identity.azure.has_value());
}

TEST(ReadIdentityTest, AnEmptyMachineHasAReasonForEverything) {
  const FakeTree tree;
  const Identity identity = ReadIdentity(SourcesOf(tree));
  for (const std::string_view field :
       {"host_name", "kernel", "boot.id", "boot.time", "os", "cpu", "numa_nodes", "memory_total_bytes", "cgroup",
        "mounts", "nics", "gpus.nvidia", "gpus.amd", "virtualisation.is_virtual"}) {
    EXPECT_TRUE(IsUnknown(identity, field)) << field;
  }
  EXPECT_EQ(identity.host_name, std::nullopt);
  EXPECT_TRUE(base::CanonicalJson(IdentityToJson(identity)).ok());
}

TEST(ReadIdentityTest, OneMalformedFileKeepsNoOtherFromBeingRead) {
  struct Row {
    std::string path;
    std::string_view field;
  };
  const Row rows[] = {
      {"/proc/cpuinfo", "cpu"},
      {"/proc/meminfo", "memory_total_bytes"},
      {"/proc/stat", "boot.time"},
      {"/proc/self/mountinfo", "mounts"},
      {"/etc/os-release", "os"},
      {"/sys/devices/system/node/node0/cpulist", "numa_nodes.0.cpus"},
      {"/sys/devices/system/node/node0/meminfo", "numa_nodes.0.memory_total_bytes"},
      {"/sys/block/vda/size", "disks.vda.size_bytes"},
      {"/sys/class/net/eth0/mtu", "nics.eth0.mtu_bytes"},
  };
  for (const Row& row : rows) {
    FakeTree tree = PlainMachine();
    tree.Write(row.path, "\x01 garbage \xff\n");
    const Identity identity = ReadIdentity(SourcesOf(tree));
    EXPECT_TRUE(IsUnknown(identity, row.field)) << row.path;
    EXPECT_EQ(identity.host_name, "plain") << row.path;
    EXPECT_EQ(identity.disks.size(), 1U) << row.path;
    EXPECT_TRUE(base::CanonicalJson(IdentityToJson(identity)).ok()) << row.path;
  }
}

TEST(ReadIdentityTest, AMountPointMayHoldAnyByte) {
  FakeTree tree = PlainMachine();
  tree.Write("/proc/self/mountinfo", "1 0 8:1 / /caf\xe9 rw - ext4 /dev/vda1 rw\n");  // Latin-1
  const Identity identity = ReadIdentity(SourcesOf(tree));
  ASSERT_EQ(identity.mounts.size(), 1U);
  EXPECT_EQ(identity.mounts[0].mount_point, "/caf\xe9");
  const base::Json json = IdentityToJson(identity);
  EXPECT_EQ(json.at("mounts").at(0).at("mount_point"), "/caf?");
  EXPECT_TRUE(base::CanonicalJson(json).ok());
}

TEST(ReadIdentityTest, AMetadataServiceThatFailsIsAReason) {
  const FakeTree tree = PlainMachine();
  IdentitySources sources = SourcesOf(tree);
  sources.azure = [](const std::string&) -> base::StatusOr<std::string> {
    return base::Error(base::StatusCode::kDeadlineExceeded, "nobody answers");
  };
  Identity identity = ReadIdentity(sources);
  EXPECT_FALSE(identity.azure.has_value());
  EXPECT_TRUE(IsUnknown(identity, "azure"));
  sources.azure = [](const std::string&) -> base::StatusOr<std::string> { return std::string("<html>"); };
  identity = ReadIdentity(sources);
  EXPECT_FALSE(identity.azure.has_value());
  EXPECT_TRUE(IsUnknown(identity, "azure"));
}

TEST(ReadIdentityTest, AGpuDriverThatHangsIsNamedAndHoldsUpNothing) {
  FakeDriverHang hang("gpus=1");
  const FakeTree tree = PlainMachine();
  IdentitySources sources = SourcesOf(tree);
  sources.gpus.nvml_library = FakeNvmlPath();
  sources.gpus.deadline = absl::Milliseconds(20);
  const Identity identity = ReadIdentity(sources);
  EXPECT_TRUE(identity.gpu_inventories.empty());
  EXPECT_TRUE(IsUnknown(identity, "gpus.nvidia"));
  EXPECT_EQ(identity.cpu.threads, 2U);
}

TEST(ReadIdentityTest, NodesBeyondTheLimitAreRefused) {
  FakeTree tree = PlainMachine();
  tree.Write(fmt::format("/sys/devices/system/node/node{}/cpulist", kMaxNumaNodes), "0\n");
  Identity identity = ReadIdentity(SourcesOf(tree));
  EXPECT_EQ(identity.numa_nodes.size(), 1U);
  EXPECT_TRUE(IsUnknown(identity, "numa_nodes"));
  tree.Write(fmt::format("/sys/devices/system/node/node{}/cpulist", kMaxNumaNodes - 1), "0\n");
  identity = ReadIdentity(SourcesOf(tree));
  EXPECT_EQ(identity.numa_nodes.size(), 2U);
}

}  // namespace
}  // namespace ashlar::node
