// What this machine is: one reading of everything that does not change from second to second.
//
// Every value that could not be read is absent and has a line in `unknowns`; nothing is guessed. All sources come in
// through IdentitySources, so that tests show any machine. Plain values; any thread may call ReadIdentity.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "node/gpu.h"
#include "node/infiniband.h"
#include "node/network_interface.h"
#include "node/unknown.h"
#include "os/os.h"

namespace ashlar::node {

struct CpuIdentity {
  std::optional<std::string> model;
  std::optional<std::string> vendor;
  std::optional<uint32_t> sockets;
  std::optional<uint32_t> cores;        // over all sockets
  std::optional<uint32_t> threads;      // logical processors that are online
  std::optional<bool> hypervisor_flag;  // the processor says that it runs below a hypervisor (CPUID 1, ECX bit 31)
};

struct NumaNode {
  uint32_t id = 0;
  std::vector<uint32_t> cpus;
  std::optional<uint64_t> memory_total_bytes;
};

// What the control groups of this process allow it; absent means not limited.
struct CgroupLimits {
  std::optional<uint32_t> version;  // 1, 2; of the hierarchy with the memory controller
  std::optional<std::string> path;
  std::optional<double> cpus;  // quota divided by period, the least on the way to the root
  std::optional<uint64_t> memory_bytes;
  std::optional<uint64_t> processes;
  std::optional<std::vector<uint32_t>> cpuset;
};

struct Disk {
  std::string name;  // "sda", "nvme0n1"
  std::optional<std::string> model;
  std::optional<uint64_t> size_bytes;
  std::optional<bool> rotational;
  bool nvme = false;
  std::optional<std::string> scheduler;  // the one in use
  Unknowns unknowns;
};

struct Mount {
  std::string device;
  std::string type;
  std::string mount_point;
  std::vector<std::string> options;  // of the mount and of the file system, each once
  bool read_only = false;
};

struct AzureIdentity {
  std::optional<std::string> size;  // "Standard_ND96isr_H100_v5"
  std::optional<std::string> location;
  std::optional<std::string> zone;
  std::optional<std::string> fault_domain;
  std::optional<std::string> update_domain;
  std::optional<std::string> name;
  std::optional<std::string> identifier;  // vmId
  std::optional<std::string> scale_set;
  std::optional<std::string> subscription;
  std::optional<std::string> resource_group;
  std::optional<std::string> priority;  // "Spot", "Regular"
};

struct Virtualisation {
  std::optional<bool> is_virtual;
  std::string kind;  // "azure", "hyper-v", "kvm", "vmware", "xen", "amazon", "google", ..., "other", "none"; "" unknown
  std::optional<std::string> vendor;   // DMI sys_vendor
  std::optional<std::string> product;  // DMI product_name
};

struct Identity {
  absl::Time read_at;
  std::optional<std::string> host_name;
  std::optional<std::string> kernel;      // "6.1.0-25-amd64"
  std::optional<std::string> os_name;     // PRETTY_NAME
  std::optional<std::string> os_id;       // "debian"
  std::optional<std::string> os_version;  // "12"
  std::optional<std::string> boot_id;
  std::optional<absl::Time> boot_time;
  Virtualisation virtualisation;
  CpuIdentity cpu;
  std::vector<NumaNode> numa_nodes;
  std::optional<uint64_t> memory_total_bytes;
  CgroupLimits cgroup;
  std::vector<Disk> disks;
  std::vector<Mount> mounts;
  std::vector<Nic> nics;
  std::vector<RdmaDevice> rdma_devices;
  std::vector<GpuInventory> gpu_inventories;  // of the vendors whose library answered
  std::optional<AzureIdentity> azure;         // absent when the metadata service does not answer
  Unknowns unknowns;                          // of everything above, dotted paths as in the JSON
};

// Answers "/metadata/instance?api-version=..." of the instance metadata service with the body. kNotFound or
// kUnavailable when there is no such service.
using AzureFetch = std::function<base::StatusOr<std::string>(const std::string& path)>;

struct IdentitySources {
  os::SysReader system;
  GpuSources gpus;
  NicStatisticsReader nic_statistics = ReadEthtoolStatistics;
  AzureFetch azure;  // empty: the metadata service is not asked; MakeAzureFetch() of azure_metadata.h is the real one
  const base::Clock* clock = &base::SystemClock();  // never null
};

// Reads everything; each source that fails is a line in `unknowns` and keeps no other from being read. Takes at most
// the GPU deadlines plus the metadata deadline longer than the reading of the files.
Identity ReadIdentity(const IdentitySources& sources);

// The body of the ledger entry `node.identity`: {"schema": "ashlar.node.identity/1", "host_name", "kernel", "os": {},
// "boot": {}, "virtualisation": {}, "cpu": {}, "numa_nodes": [], "memory_total_bytes", "cgroup": {}, "disks": [],
// "mounts": [], "nics": [], "rdma_devices": [], "gpu_inventories": [], "azure": {} | null, "unknowns": []}. Absent
// values are null.
base::Json IdentityToJson(const Identity& identity);

// What a benchmark result needs to be comparable: {"cpu_model", "sockets", "cores", "threads", "memory_total_bytes",
// "numa_nodes", "kernel", "os", "virtualisation", "azure_size", "gpus": ["8 x NVIDIA H100 80GB HBM3"], "gpu_driver",
// "rdma": ["8 x 400 Gb/sec (4X NDR)"], "disks": ["1 x ..."], "digest"}. The digest is the SHA-256 over the rest as
// canonical JSON: equal digests are machines that may be compared. Host name, addresses and boot are not in it.
base::Json MachineFingerprint(const Identity& identity);

}  // namespace ashlar::node
