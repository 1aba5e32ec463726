#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"
#include "node/fake_tree_testing.h"
#include "node/identity.h"

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

TEST(IdentityJsonTest, NamesEveryPart) {
  const FakeTree tree = NdH100Machine();
  IdentitySources sources = SourcesOf(tree);
  sources.gpus = FakeGpuSources();
  const base::Json json = IdentityToJson(ReadIdentity(sources));
  EXPECT_EQ(json.at("schema"), "ashlar.node.identity/1");
  EXPECT_EQ(json.at("boot").at("time"), "2025-10-09T08:53:20.000000Z");  // date -u -d @1760000000
  EXPECT_EQ(json.at("cpu").at("threads"), 96);
  EXPECT_EQ(json.at("numa_nodes").at(1).at("cpus"), "48-95");
  EXPECT_EQ(json.at("mounts").at(0).at("type"), "ext4");
  EXPECT_EQ(json.at("gpu_inventories").at(0).at("gpus").as_array().size(), 8U);
  EXPECT_TRUE(json.at("azure").is_null());
}

TEST(MachineFingerprintTest, IsTheSameForEqualMachinesAndNoOther) {
  const FakeTree tree = NdH100Machine();
  IdentitySources sources = SourcesOf(tree);
  sources.gpus = FakeGpuSources();
  Identity identity = ReadIdentity(sources);
  const base::Json print = MachineFingerprint(identity);
  EXPECT_EQ(print.at("gpus").at(1), "8 x NVIDIA H100 80GB HBM3");
  EXPECT_EQ(print.at("gpu_driver"), "550.90.07");
  EXPECT_EQ(print.at("rdma").at(0), "8 x 400 Gb/sec (4X NDR)");
  EXPECT_EQ(print.at("digest").as_string().size(), 64U);
  identity.host_name = "another";
  identity.boot_id = "another";
  EXPECT_EQ(MachineFingerprint(identity).at("digest"), print.at("digest"));
  identity.kernel = "another";
  EXPECT_NE(MachineFingerprint(identity).at("digest"), print.at("digest"));
}

TEST(MachineFingerprintTest, TheRealMachineHasOne) {
  IdentitySources sources;
  sources.gpus = NoGpuSources();
  const Identity identity = ReadIdentity(sources);
  EXPECT_TRUE(identity.cpu.threads.has_value());
  EXPECT_TRUE(identity.memory_total_bytes.has_value());
  EXPECT_TRUE(base::CanonicalJson(IdentityToJson(identity)).ok());
  EXPECT_FALSE(MachineFingerprint(identity).at("digest").is_null());
}

}  // namespace
}  // namespace ashlar::node
