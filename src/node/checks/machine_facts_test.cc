#include "node/checks/machine_facts.h"

#include <gtest/gtest.h>

#include "node/checks/check_limits.h"
#include "node/checks/checks_testing.h"

namespace ashlar::node {
namespace {

Files Pci(const std::string& pci_class, const std::string& vendor) {
  return {{"/sys/bus/pci/devices/0000:01:00.0/class", pci_class}, {"/sys/bus/pci/devices/0000:01:00.0/vendor", vendor}};
}

struct PciCase {
  std::string name;
  Files files;
  uint64_t nvidia;
  uint64_t amd;
};

TEST(MachineFacts, GpusOnPciByClassAndVendor) {
  const std::vector<PciCase> cases = {
      {"no PCI bus", {}, 0, 0},
      {"H100 is a 3D controller", Pci("0x030200\n", "0x10de\n"), 1, 0},
      {"a graphics card is a VGA controller", Pci("0x030000\n", "0x10de\n"), 1, 0},
      {"MI300X is a processing accelerator", Pci("0x120000\n", "0x1002\n"), 0, 1},
      {"MI200 is a display controller", Pci("0x038000\n", "0x1002\n"), 0, 1},
      {"NVIDIA's NVSwitch is a bridge", Pci("0x068000\n", "0x10de\n"), 0, 0},
      {"NVIDIA's sound device", Pci("0x040300\n", "0x10de\n"), 0, 0},
      {"a BMC's graphics", Pci("0x030000\n", "0x1a03\n"), 0, 0},
  };
  for (const auto& row : cases) {
    const FakeTree tree(row.files);
    const auto gpus = CountPciGpus(tree.reader());
    ASSERT_TRUE(gpus.ok()) << row.name;
    EXPECT_EQ(gpus->nvidia, row.nvidia) << row.name;
    EXPECT_EQ(gpus->amd, row.amd) << row.name;
    EXPECT_EQ(IsAccelerated(tree.reader()), row.nvidia + row.amd > 0) << row.name;
  }
}

TEST(MachineFacts, PciThatCannotBeReadIsAnErrorAndMayBeAccelerated) {
  for (const auto& files :
       {Pci("display", "0x10de"), Pci("0x030200", ""), Files{{"/sys/bus/pci/devices/a/class", "0x1"}}}) {
    const FakeTree tree(files);
    EXPECT_FALSE(CountPciGpus(tree.reader()).ok());
    EXPECT_TRUE(IsAccelerated(tree.reader()));
  }
}

TEST(MachineFacts, AnRdmaDeviceMakesItAccelerated) {
  const FakeTree tree(Files{{"/sys/class/infiniband/mlx5_0/node_type", "1: CA\n"}});
  EXPECT_TRUE(IsAccelerated(tree.reader()));
}

TEST(MachineFacts, KnowsAVirtualMachineByTheProcessorsFlag) {
  EXPECT_TRUE(*IsVirtualMachine(PlainMachine().reader()));
  const FakeTree bare(Files{{"/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme\n"}});
  EXPECT_FALSE(*IsVirtualMachine(bare.reader()));
  EXPECT_FALSE(IsVirtualMachine(FakeTree().reader()).ok());
}

TEST(MachineFacts, OnlineProcessors) {
  const FakeTree tree(Files{{"/sys/devices/system/cpu/online", "0-3,8\n"}});
  EXPECT_EQ(*OnlineProcessors(tree.reader()), 5U);
  EXPECT_FALSE(OnlineProcessors(FakeTree().reader()).ok());
}

}  // namespace
}  // namespace ashlar::node
