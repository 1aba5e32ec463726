// Identity as the body of the ledger entry `node.identity`, and the fingerprint of the machine for benchmark results.
#include <map>

#include "node/azure_metadata.h"
#include "node/cgroup.h"
#include "node/disk.h"
#include "node/identity.h"
#include "node/json_value.h"
#include "node/kernel/cpu_list.h"
#include "node/virtualisation.h"

namespace ashlar::node {
namespace {

template <typename Items, typename ToJson>
base::JsonArray ArrayOf(const Items& items, ToJson to_json) {
  base::JsonArray array;
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

base::Json CpuToJson(const CpuIdentity& cpu) {
  return base::JsonObject{{"model", ValueOrNull(cpu.model)},     {"vendor", ValueOrNull(cpu.vendor)},
                          {"sockets", ValueOrNull(cpu.sockets)}, {"cores", ValueOrNull(cpu.cores)},
                          {"threads", ValueOrNull(cpu.threads)}, {"hypervisor_flag", ValueOrNull(cpu.hypervisor_flag)}};
}

base::Json NumaNodeToJson(const NumaNode& node) {
  return base::JsonObject{{"id", node.id},
                          {"cpus", FormatCpuList(node.cpus)},
                          {"memory_total_bytes", ValueOrNull(node.memory_total_bytes)}};
}

base::Json MountToJson(const Mount& mount) {
  return base::JsonObject{{"device", ToJson(mount.device)},
                          {"type", ToJson(mount.type)},
                          {"mount_point", ToJson(mount.mount_point)},
                          {"options", ArrayOf(mount.options, [](const std::string& text) { return ToJson(text); })},
                          {"read_only", mount.read_only}};
}

base::Json OsToJson(const Identity& identity) {
  return base::JsonObject{{"name", ValueOrNull(identity.os_name)},
                          {"id", ValueOrNull(identity.os_id)},
                          {"version", ValueOrNull(identity.os_version)}};
}

// "8 x 400 Gb/sec (4X NDR)" for each kind, in the order of the texts.
base::JsonArray CountsToJson(const std::map<std::string, uint32_t>& counts) {
  base::JsonArray array;
  for (const auto& [text, count] : counts) array.push_back(ToJson(fmt::format("{} x {}", count, text)));
  return array;
}

base::JsonArray GpuKinds(const Identity& identity) {
  std::map<std::string, uint32_t> counts;
  for (const GpuInventory& inventory : identity.gpu_inventories) {
    for (const Gpu& gpu : inventory.gpus) ++counts[gpu.name.value_or("unknown")];
  }
  return CountsToJson(counts);
}

base::JsonArray RdmaKinds(const Identity& identity) {
  std::map<std::string, uint32_t> counts;
  for (const RdmaDevice& device : identity.rdma_devices) {
    for (const RdmaPort& port : device.ports) ++counts[port.rate_text.value_or("unknown")];
  }
  return CountsToJson(counts);
}

base::JsonArray DiskKinds(const Identity& identity) {
  std::map<std::string, uint32_t> counts;
  for (const Disk& disk : identity.disks) {
    const std::string size = disk.size_bytes ? base::HumanBytes(base::Bytes{*disk.size_bytes}) : "unknown size";
    const std::string model = disk.model ? *disk.model : disk.nvme ? "NVMe" : "disk";
    ++counts[fmt::format("{} {}", model, size)];
  }
  return CountsToJson(counts);
}

base::Json GpuDriver(const Identity& identity) {
  for (const GpuInventory& inventory : identity.gpu_inventories) {
    if (inventory.driver_version) return base::Json(*inventory.driver_version);
  }
  return nullptr;
}

}  // namespace

base::Json IdentityToJson(const Identity& identity) {
  base::JsonObject boot = {{"id", ValueOrNull(identity.boot_id)}, {"time", nullptr}};
  if (identity.boot_time) boot["time"] = base::Rfc3339(*identity.boot_time);
  return base::JsonObject{{"schema", "ashlar.node.identity/1"},
                          {"read_at", base::Rfc3339(identity.read_at)},
                          {"host_name", ValueOrNull(identity.host_name)},
                          {"kernel", ValueOrNull(identity.kernel)},
                          {"os", OsToJson(identity)},
                          {"boot", std::move(boot)},
                          {"virtualisation", VirtualisationToJson(identity.virtualisation)},
                          {"cpu", CpuToJson(identity.cpu)},
                          {"numa_nodes", ArrayOf(identity.numa_nodes, NumaNodeToJson)},
                          {"memory_total_bytes", ValueOrNull(identity.memory_total_bytes)},
                          {"cgroup", CgroupLimitsToJson(identity.cgroup)},
                          {"disks", ArrayOf(identity.disks, DiskToJson)},
                          {"mounts", ArrayOf(identity.mounts, MountToJson)},
                          {"nics", ArrayOf(identity.nics, NicToJson)},
                          {"rdma_devices", ArrayOf(identity.rdma_devices, RdmaDeviceToJson)},
                          {"gpu_inventories", ArrayOf(identity.gpu_inventories, GpuInventoryToJson)},
                          {"azure", identity.azure ? AzureIdentityToJson(*identity.azure) : base::Json(nullptr)},
                          {"unknowns", UnknownsToJson(identity.unknowns)}};
}

base::Json MachineFingerprint(const Identity& identity) {
  base::JsonObject print = {{"cpu_model", ValueOrNull(identity.cpu.model)},
                            {"sockets", ValueOrNull(identity.cpu.sockets)},
                            {"cores", ValueOrNull(identity.cpu.cores)},
                            {"threads", ValueOrNull(identity.cpu.threads)},
                            {"memory_total_bytes", ValueOrNull(identity.memory_total_bytes)},
                            {"numa_nodes", identity.numa_nodes.size()},
                            {"kernel", ValueOrNull(identity.kernel)},
                            {"os", ValueOrNull(identity.os_name)},
                            {"virtualisation", identity.virtualisation.kind},
                            {"azure_size", identity.azure ? ValueOrNull(identity.azure->size) : base::Json(nullptr)},
                            {"gpus", GpuKinds(identity)},
                            {"gpu_driver", GpuDriver(identity)},
                            {"rdma", RdmaKinds(identity)},
                            {"disks", DiskKinds(identity)}};
  const base::StatusOr<std::string> canonical = base::CanonicalJson(print);
  print["digest"] = canonical.ok() ? base::Json(base::HexEncode(base::Sha256(*canonical))) : base::Json(nullptr);
  return print;
}

}  // namespace ashlar::node
