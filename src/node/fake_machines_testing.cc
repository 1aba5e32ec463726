// The machines of fake_tree_testing.h. File formats are the kernel's; the numbers are those of the machine sizes as
// Azure documents them.
#include "node/fake_tree_testing.h"

namespace ashlar::node {
namespace {

struct CpuPlan {
  std::string_view vendor;
  std::string_view model;
  uint32_t threads = 0;
  uint32_t sockets = 1;
  uint32_t numa_nodes = 1;
  uint64_t memory_kib = 0;
};

void AddCpus(FakeTree& tree, const CpuPlan& plan) {
  const uint32_t per_socket = plan.threads / plan.sockets;
  std::string cpuinfo;
  std::string stat = "cpu  4000 10 2000 90000 500 0 30 40 0 0\n";
  for (uint32_t cpu = 0; cpu < plan.threads; ++cpu) {
    cpuinfo += fmt::format(
        "processor\t: {}\nvendor_id\t: {}\ncpu family\t: 6\nmodel name\t: {}\nphysical id\t: {}\nsiblings\t: {}\n"
        "core id\t\t: {}\ncpu cores\t: {}\nflags\t\t: fpu vme de pse hypervisor lahf_lm\nbogomips\t: 4000.00\n\n",
        cpu, plan.vendor, plan.model, cpu / per_socket, per_socket, cpu % per_socket, per_socket);
    stat += fmt::format("cpu{} 100 1 50 2000 10 0 3 4 0 0\n", cpu);
  }
  stat +=
      "intr 300000 10 20 30\nctxt 500000\nbtime 1760000000\nprocesses 4000\nprocs_running 2\nprocs_blocked 0\n"
      "softirq 9 1 2 3\n";
  tree.Write("/proc/cpuinfo", cpuinfo);
  tree.Write("/proc/stat", stat);
  tree.Write("/proc/loadavg", "0.50 0.40 0.30 2/300 4000\n");
  tree.Write("/proc/meminfo", fmt::format("MemTotal:       {} kB\nMemFree:        {} kB\nMemAvailable:   {} kB\n"
                                          "Buffers:           1024 kB\nCached:            2048 kB\nSwapTotal:          "
                                          "  0 kB\nActive(anon):     512 kB\n"
                                          "HugePages_Total:       0\nHugepagesize:       2048 kB\n",
                                          plan.memory_kib, plan.memory_kib / 2, plan.memory_kib / 4 * 3));
  const uint32_t per_node = plan.threads / plan.numa_nodes;
  for (uint32_t node = 0; node < plan.numa_nodes; ++node) {
    const std::string path = fmt::format("/sys/devices/system/node/node{}", node);
    tree.Write(path + "/cpulist", fmt::format("{}-{}\n", node * per_node, (node + 1) * per_node - 1));
    tree.Write(path + "/meminfo", fmt::format("Node {0} MemTotal:       {1} kB\nNode {0} MemFree:        {2} kB\n",
                                              node, plan.memory_kib / plan.numa_nodes, plan.memory_kib / 8));
  }
}

struct HostPlan {
  std::string_view host_name;
  std::string_view kernel;
  std::string_view dmi_vendor;
  std::string_view dmi_product;
  std::string_view asset_tag;
};

void AddHost(FakeTree& tree, const HostPlan& plan) {
  tree.Write("/proc/sys/kernel/hostname", fmt::format("{}\n", plan.host_name));
  tree.Write("/proc/sys/kernel/osrelease", fmt::format("{}\n", plan.kernel));
  tree.Write("/proc/sys/kernel/random/boot_id", "0f8fad5b-d9cb-469f-a165-70867728950e\n");
  tree.Write("/etc/os-release",
             "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n"
             "ID=debian\n");
  tree.Write("/sys/class/dmi/id/sys_vendor", fmt::format("{}\n", plan.dmi_vendor));
  tree.Write("/sys/class/dmi/id/product_name", fmt::format("{}\n", plan.dmi_product));
  tree.Write("/sys/class/dmi/id/chassis_asset_tag", fmt::format("{}\n", plan.asset_tag));
  for (const std::string_view resource : {"cpu", "io", "memory"}) {
    tree.Write(fmt::format("/proc/pressure/{}", resource),
               "some avg10=0.00 avg60=0.10 avg300=0.20 total=3000000\n"
               "full avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n");
  }
  tree.Write("/proc/self/cgroup", "0::/user.slice\n");
  tree.Write("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
  tree.Write("/sys/fs/cgroup/user.slice/memory.max", "max\n");
  tree.Write("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  tree.Write("/sys/fs/cgroup/user.slice/pids.max", "max\n");
}

// Disks, and the mounts that every machine has; the first disk holds the root.
void AddDisks(FakeTree& tree, std::string_view root_disk, uint32_t nvme_disks) {
  std::string stats;
  const auto add = [&](const std::string& name, uint64_t sectors, std::string_view scheduler) {
    const std::string path = "/sys/block/" + name;
    tree.Write(path + "/size", fmt::format("{}\n", sectors));
    tree.Write(path + "/queue/rotational", "0\n");
    tree.Write(path + "/queue/scheduler", fmt::format("{}\n", scheduler));
    stats += fmt::format("   8       0 {} 1000 10 80000 500 2000 20 160000 900 0 700 1400 0 0 0 0 5 6\n", name);
  };
  constexpr uint64_t kRootSectors = 62'914'560;     // 30 GiB
  constexpr uint64_t kNvmeSectors = 6'835'937'500;  // 3.5 TB
  add(std::string(root_disk), kRootSectors, "none [mq-deadline]");
  if (root_disk.starts_with("sd")) {
    tree.Write(fmt::format("/sys/block/{}/device/model", root_disk), "Virtual Disk    \n");
  }
  stats += fmt::format("   8       1 {}1 900 10 79000 400 1900 20 159000 800 0 600 1200\n", root_disk);
  for (uint32_t disk = 0; disk < nvme_disks; ++disk) {
    const std::string name = fmt::format("nvme{}n1", disk);
    add(name, kNvmeSectors, "[none] mq-deadline");
    tree.Write(fmt::format("/sys/block/{}/device/model", name), "Microsoft NVMe Direct Disk v2           \n");
  }
  tree.Write("/proc/diskstats", stats);
  tree.Write("/proc/self/mountinfo",
             fmt::format("21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/{}1 rw,discard,errors=remount-ro\n"
                         "22 21 0:5 / /dev rw,nosuid shared:2 - devtmpfs udev rw,size=4096k\n"
                         "23 21 0:21 / /run rw,nosuid,nodev shared:5 - tmpfs tmpfs rw,size=819200k,mode=755\n"
                         "24 21 0:22 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw\n",
                         root_disk));
}

struct NicPlan {
  std::string_view name;
  std::string_view driver;  // "" for a software interface
  std::string_view mac;
  std::string_view flags;
  std::string_view speed;  // Mb/s; "" when the kernel refuses
};

void AddNic(FakeTree& tree, const NicPlan& plan) {
  const std::string path = fmt::format("/sys/class/net/{}", plan.name);
  tree.Write(path + "/operstate", plan.driver.empty() ? "unknown\n" : "up\n");
  tree.Write(path + "/carrier", "1\n");
  tree.Write(path + "/address", fmt::format("{}\n", plan.mac));
  tree.Write(path + "/flags", fmt::format("{}\n", plan.flags));
  tree.Write(path + "/mtu", plan.driver.empty() ? "65536\n" : "1500\n");
  if (!plan.speed.empty()) tree.Write(path + "/speed", fmt::format("{}\n", plan.speed));
  tree.Write(path + "/statistics/rx_packets", "1000\n");
  tree.Write(path + "/statistics/tx_packets", "900\n");
  if (plan.driver.empty()) return;
  tree.Link(path + "/device/driver", fmt::format("../../bus/drivers/{}", plan.driver));
  tree.Write(path + "/device/numa_node", "0\n");
}

void AddNics(FakeTree& tree, const std::vector<NicPlan>& plans) {
  std::string table =
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier "
      "compressed\n";
  for (const NicPlan& plan : plans) {
    AddNic(tree, plan);
    table += fmt::format(
        "{:>6}: 150000    1000    0    1    0     0          0         2   120000     900    0    0"
        "    0     0       0          0\n",
        plan.name);
  }
  tree.Write("/proc/net/dev", table);
}

constexpr NicPlan kLoopback = {"lo", "", "00:00:00:00:00:00", "0x9", ""};

// The synthetic interface and its virtual function, as accelerated networking has them.
const std::vector<NicPlan> kAcceleratedNics = {
    kLoopback,
    {"eth0", "hv_netvsc", "00:0d:3a:11:22:33", "0x1003", "100000"},
    {"enP30832s1", "mlx5_core", "00:0d:3a:11:22:33", "0x1843", "100000"},
};

void AddInfiniBand(FakeTree& tree, const std::string& device, uint32_t number) {
  const std::string path = "/sys/class/infiniband/" + device;
  tree.Write(path + "/node_guid", fmt::format("0015:5dff:fe33:{:04x}\n", 0xff00 + number));
  tree.Write(path + "/board_id", "MT_0000000838\n");
  tree.Write(path + "/fw_ver", "28.37.1014\n");
  tree.Write(path + "/node_type", "1: CA\n");
  tree.Write(path + "/device/numa_node", fmt::format("{}\n", number / 4));
  tree.MakeDirectory(fmt::format("{}/device/net/ib{}", path, number));
  const std::string port = path + "/ports/1";
  tree.Write(port + "/state", "4: ACTIVE\n");
  tree.Write(port + "/phys_state", "5: LinkUp\n");
  tree.Write(port + "/rate", "400 Gb/sec (4X NDR)\n");
  tree.Write(port + "/link_layer", "InfiniBand\n");
  for (const std::string_view counter :
       {"port_rcv_data", "port_xmit_data", "port_rcv_packets", "port_xmit_packets", "unicast_rcv_packets",
        "unicast_xmit_packets", "multicast_rcv_packets", "multicast_xmit_packets"}) {
    tree.Write(fmt::format("{}/counters/{}", port, counter), "250000\n");
  }
  for (const std::string_view counter :
       {"symbol_error", "link_error_recovery", "link_downed", "port_rcv_errors", "port_rcv_remote_physical_errors",
        "port_rcv_switch_relay_errors", "port_xmit_discards", "port_xmit_constraint_errors",
        "port_rcv_constraint_errors", "local_link_integrity_errors", "excessive_buffer_overrun_errors", "VL15_dropped",
        "port_xmit_wait"}) {
    tree.Write(fmt::format("{}/counters/{}", port, counter), "0\n");
  }
  tree.Write(port + "/hw_counters/out_of_sequence", "0\n");
  tree.Write(port + "/hw_counters/lifespan", "10\n");
}

constexpr std::string_view kAzureAssetTag = "7783-7084-3265-9085-8269-3286-77";  // Azure's own, on every machine

}  // namespace

FakeTree PlainMachine() {
  FakeTree tree;
  AddCpus(tree, {"GenuineIntel", "Intel(R) Xeon(R) Processor @ 2.60GHz", 2, 1, 1, 8'388'608});
  AddHost(tree, {"plain", "6.1.0-25-amd64", "QEMU", "Standard PC (Q35 + ICH9, 2009)", ""});
  AddDisks(tree, "vda", 0);
  AddNics(tree, {kLoopback, {"eth0", "virtio_net", "52:54:00:12:34:56", "0x1003", ""}});
  tree.Write("/sys/class/net/eth0/speed", "-1\n");  // what virtio says when it does not know
  return tree;
}

FakeTree NdH100Machine() {
  FakeTree tree;
  AddCpus(tree, {"GenuineIntel", "Intel(R) Xeon(R) Platinum 8480C", 96, 2, 2, 1'992'294'400});
  AddHost(tree, {"nd-0001", "5.15.0-1068-azure", "Microsoft Corporation", "Virtual Machine", kAzureAssetTag});
  AddDisks(tree, "sda", 8);
  AddNics(tree, kAcceleratedNics);
  for (uint32_t port = 0; port < 8; ++port) AddInfiniBand(tree, fmt::format("mlx5_ib{}", port), port);
  return tree;
}

FakeTree HbMachine() {
  FakeTree tree;
  AddCpus(tree, {"AuthenticAMD", "AMD EPYC 9V33X 96-Core Processor", 176, 2, 4, 805'306'368});
  AddHost(tree, {"hb-0001", "5.15.0-1068-azure", "Microsoft Corporation", "Virtual Machine", kAzureAssetTag});
  AddDisks(tree, "sda", 2);
  AddNics(tree, kAcceleratedNics);
  AddInfiniBand(tree, "mlx5_ib0", 0);
  return tree;
}

}  // namespace ashlar::node
