#include "node/identity.h"

#include <algorithm>

#include "node/azure_metadata.h"
#include "node/cgroup.h"
#include "node/disk.h"
#include "node/kernel/cpu_list.h"
#include "node/kernel/cpu_stat.h"
#include "node/kernel/cpuinfo.h"
#include "node/kernel/meminfo.h"
#include "node/kernel/mountinfo.h"
#include "node/kernel/os_release.h"
#include "node/limits.h"
#include "node/virtualisation.h"

namespace ashlar::node {
namespace {

// Reads the parts into one identity, each on its own: none keeps another from being read.
class IdentityReader {
 public:
  explicit IdentityReader(const IdentitySources& sources) : sources_(sources), system_(sources.system) {}

  Identity Read() {
    identity_.read_at = sources_.clock->Now();
    ReadText("/proc/sys/kernel/hostname", "host_name", identity_.host_name);
    ReadText("/proc/sys/kernel/osrelease", "kernel", identity_.kernel);
    ReadText("/proc/sys/kernel/random/boot_id", "boot.id", identity_.boot_id);
    ReadBootTime();
    ReadOsRelease();
    ReadCpu();
    ReadNumaNodes();
    ReadMemory();
    identity_.cgroup = ReadCgroupLimits(system_, identity_.unknowns);
    ReadMounts();
    ReadDevices();
    ReadAllGpus();
    ReadAzure();
    identity_.virtualisation = ReadVirtualisation(system_, identity_.cpu.hypervisor_flag, identity_.unknowns);
    return std::move(identity_);
  }

 private:
  void Unknown(std::string_view field, const base::Status& status) { AddUnknown(identity_.unknowns, field, status); }

  void ReadText(std::string_view path, std::string_view field, std::optional<std::string>& value) {
    base::StatusOr<std::string> text = system_.ReadTrimmed(path);
    if (text.ok() && text->empty()) text = base::Error(base::StatusCode::kInvalidArgument, "{} is empty", path);
    if (!text.ok()) return Unknown(field, text.status());
    value = *std::move(text);
  }

  void ReadBootTime() {
    CpuStat stat;
    const auto text = system_.Read("/proc/stat");
    base::Status status = text.status();
    if (status.ok()) status = ParseCpuStat(*text, stat);
    if (status.ok() && !stat.boot_time_seconds) {
      status = base::Error(base::StatusCode::kInvalidArgument, "/proc/stat: no line `btime`");
    }
    if (!status.ok()) return Unknown("boot.time", status);
    identity_.boot_time = absl::FromUnixSeconds(static_cast<int64_t>(*stat.boot_time_seconds));
  }

  void ReadOsRelease() {
    auto text = system_.Read("/etc/os-release");
    if (absl::IsNotFound(text.status())) text = system_.Read("/usr/lib/os-release");
    const auto release = text.ok() ? ParseOsRelease(*text) : text.status();
    if (!release.ok()) return Unknown("os", release.status());
    identity_.os_id = release->id;
    identity_.os_version = release->version_id;
    identity_.os_name = release->pretty_name;
  }

  void ReadCpu() {
    const auto text = system_.Read("/proc/cpuinfo");
    const auto info = text.ok() ? ParseCpuinfo(*text) : text.status();
    if (!info.ok()) return Unknown("cpu", info.status());
    CpuIdentity& cpu = identity_.cpu;
    cpu = {info->model, info->vendor, info->sockets, info->cores, info->threads, info->hypervisor_flag};
    const auto note = [this](bool known, std::string_view field) {
      if (known) return;
      Unknown(field, base::Error(base::StatusCode::kNotFound, "/proc/cpuinfo does not say it on this processor"));
    };
    note(cpu.model.has_value(), "cpu.model");
    note(cpu.sockets.has_value(), "cpu.sockets");
    note(cpu.cores.has_value(), "cpu.cores");
    note(cpu.hypervisor_flag.has_value(), "cpu.hypervisor_flag");
  }

  void ReadNumaNode(const std::string& name, uint32_t id) {
    const std::string path = "/sys/devices/system/node/" + name;
    NumaNode& node = identity_.numa_nodes.emplace_back();
    node.id = id;
    const auto list = system_.ReadTrimmed(path + "/cpulist");
    auto cpus = list.ok() ? ParseCpuList(*list) : list.status();
    if (cpus.ok())
      node.cpus = *std::move(cpus);
    else
      Unknown(fmt::format("numa_nodes.{}.cpus", id), cpus.status());
    const auto text = system_.Read(path + "/meminfo");
    const auto memory = text.ok() ? ParseNodeMemTotal(*text) : text.status();
    if (memory.ok())
      node.memory_total_bytes = *memory;
    else
      Unknown(fmt::format("numa_nodes.{}.memory_total_bytes", id), memory.status());
  }

  void ReadNumaNodes() {
    constexpr std::string_view kPrefix = "node";
    const auto names = system_.List("/sys/devices/system/node");
    if (!names.ok()) return Unknown("numa_nodes", names.status());
    for (const std::string& name : *names) {
      if (!name.starts_with(kPrefix)) continue;
      const auto id = base::ParseUint64(std::string_view(name).substr(kPrefix.size()));
      if (!id) continue;
      if (*id >= kMaxNumaNodes) {
        Unknown("numa_nodes", base::Error(base::StatusCode::kResourceExhausted, "{} is beyond the limit of {} nodes",
                                          name, kMaxNumaNodes));
        continue;
      }
      ReadNumaNode(name, static_cast<uint32_t>(*id));
    }
    // The folder lists node10 before node2.
    std::sort(identity_.numa_nodes.begin(), identity_.numa_nodes.end(),
              [](const NumaNode& left, const NumaNode& right) { return left.id < right.id; });
  }

  void ReadMemory() {
    const auto text = system_.Read("/proc/meminfo");
    std::vector<MeminfoEntry> entries;
    base::Status status = text.status();
    if (status.ok()) status = ParseMeminfo(*text, entries);
    if (!status.ok()) return Unknown("memory_total_bytes", status);
    identity_.memory_total_bytes = FindMeminfo(entries, "MemTotal");
  }

  void ReadMounts() {
    const auto text = system_.Read("/proc/self/mountinfo");
    auto lines = text.ok() ? ParseMountinfo(*text) : text.status();
    if (!lines.ok()) return Unknown("mounts", lines.status());
    for (MountLine& line : *lines) {
      identity_.mounts.push_back({std::move(line.device), std::move(line.type), std::move(line.mount_point),
                                  std::move(line.options), line.read_only});
    }
  }

  // Lists of devices, whose own unknowns move up under their names.
  template <typename Device>
  void Take(std::string_view field, base::StatusOr<std::vector<Device>> devices, std::vector<Device>& into) {
    if (!devices.ok()) return Unknown(field, devices.status());
    for (const Device& device : *devices) {
      AddUnknowns(identity_.unknowns, fmt::format("{}.{}", field, device.name), device.unknowns);
    }
    into = *std::move(devices);
  }

  void ReadDevices() {
    Take("disks", ReadDisks(system_), identity_.disks);
    Take("nics", ReadNics(system_, sources_.nic_statistics), identity_.nics);
    Take("rdma_devices", ReadRdmaDevices(system_), identity_.rdma_devices);
    for (const RdmaDevice& device : identity_.rdma_devices) {
      for (const RdmaPort& port : device.ports) {
        AddUnknowns(identity_.unknowns, fmt::format("rdma_devices.{}.ports.{}", device.name, port.number),
                    port.unknowns);
      }
    }
  }

  void ReadAllGpus() {
    for (const GpuVendor vendor : {GpuVendor::kNvidia, GpuVendor::kAmd}) {
      auto inventory = ReadGpus(vendor, sources_.gpus);
      const std::string field = fmt::format("gpus.{}", GpuVendorName(vendor));
      if (!inventory.ok()) {
        Unknown(field, inventory.status());
        continue;
      }
      AddUnknowns(identity_.unknowns, field, inventory->unknowns);
      for (const Gpu& gpu : inventory->gpus) {
        AddUnknowns(identity_.unknowns, fmt::format("{}.{}", field, gpu.index), gpu.unknowns);
      }
      identity_.gpu_inventories.push_back(*std::move(inventory));
    }
  }

  void ReadAzure() {
    if (!sources_.azure) return;
    const auto body = sources_.azure(std::string(kAzureInstancePath));
    auto azure = body.ok() ? ParseAzureInstance(*body) : body.status();
    if (!azure.ok()) return Unknown("azure", azure.status());
    identity_.azure = *std::move(azure);
  }

  const IdentitySources& sources_;
  const os::SysReader& system_;
  Identity identity_;
};

}  // namespace

Identity ReadIdentity(const IdentitySources& sources) { return IdentityReader(sources).Read(); }

}  // namespace ashlar::node
