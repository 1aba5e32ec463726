// What disks and network interfaces have moved.
#include <map>

#include "node/kernel/diskstats.h"
#include "node/kernel/net_dev.h"
#include "node/limits.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

constexpr double kMilli = 1e-3;
constexpr double kSector = static_cast<double>(kSectorBytes);
constexpr SeriesType kCounter = SeriesType::kCounter;

constexpr FamilyPlan kDiskPlans[] = {
    {"node_disk_reads_completed_total", "The total number of reads completed successfully.", kCounter},
    {"node_disk_reads_merged_total", "The total number of reads merged.", kCounter},
    {"node_disk_read_bytes_total", "The total number of bytes read successfully.", kCounter, kSector},
    {"node_disk_read_time_seconds_total", "The total number of seconds spent by all reads.", kCounter, kMilli,
     CounterKind::k32Bit},
    {"node_disk_writes_completed_total", "The total number of writes completed successfully.", kCounter},
    {"node_disk_writes_merged_total", "The number of writes merged.", kCounter},
    {"node_disk_written_bytes_total", "The total number of bytes written successfully.", kCounter, kSector},
    {"node_disk_write_time_seconds_total", "This is the total number of seconds spent by all writes.", kCounter, kMilli,
     CounterKind::k32Bit},
    {"node_disk_io_now", "The number of I/Os currently in progress.", SeriesType::kGauge},
    {"node_disk_io_time_seconds_total", "Total seconds spent doing I/Os.", kCounter, kMilli, CounterKind::k32Bit},
    {"node_disk_io_time_weighted_seconds_total", "The weighted # of seconds spent doing I/Os.", kCounter, kMilli,
     CounterKind::k32Bit},
};
constexpr size_t kInFlightFamily = 8;

// In the order of NetCounter.
constexpr FamilyPlan kNetPlans[] = {
    {"node_network_receive_bytes_total", "Network device statistic receive_bytes.", kCounter},
    {"node_network_receive_packets_total", "Network device statistic receive_packets.", kCounter},
    {"node_network_receive_errs_total", "Network device statistic receive_errs.", kCounter},
    {"node_network_receive_drop_total", "Network device statistic receive_drop.", kCounter},
    {"node_network_receive_fifo_total", "Network device statistic receive_fifo.", kCounter},
    {"node_network_receive_frame_total", "Network device statistic receive_frame.", kCounter},
    {"node_network_receive_compressed_total", "Network device statistic receive_compressed.", kCounter},
    {"node_network_receive_multicast_total", "Network device statistic receive_multicast.", kCounter},
    {"node_network_transmit_bytes_total", "Network device statistic transmit_bytes.", kCounter},
    {"node_network_transmit_packets_total", "Network device statistic transmit_packets.", kCounter},
    {"node_network_transmit_errs_total", "Network device statistic transmit_errs.", kCounter},
    {"node_network_transmit_drop_total", "Network device statistic transmit_drop.", kCounter},
    {"node_network_transmit_fifo_total", "Network device statistic transmit_fifo.", kCounter},
    {"node_network_transmit_colls_total", "Network device statistic transmit_colls.", kCounter},
    {"node_network_transmit_carrier_total", "Network device statistic transmit_carrier.", kCounter},
    {"node_network_transmit_compressed_total", "Network device statistic transmit_compressed.", kCounter},
};
static_assert(std::size(kNetPlans) == kNetCounters);

// Series of devices that come and go: each keeps its place for as long as the sampler lives.
class DeviceSensor : public Sensor {
 protected:
  // The place of a device's series; nullopt when too many different ones have been seen.
  std::optional<size_t> SlotOf(SourceSample& sample, std::string_view device, size_t most) {
    const auto known = slots_.find(device);
    if (known != slots_.end()) return known->second;
    if (slots_.size() >= most) return std::nullopt;
    const size_t slot = board_.AddToAll(sample, Label("device", device));
    slots_.emplace(device, slot);
    return slot;
  }

  base::Status TooMany(size_t most) const {
    return base::Error(base::StatusCode::kResourceExhausted,
                       "more than {} devices have come and gone; restart to watch new ones", most);
  }

 private:
  std::map<std::string, size_t, std::less<>> slots_;
};

class DiskSensor final : public DeviceSensor {
 public:
  explicit DiskSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "diskstats"; }
  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : kDiskPlans) board_.AddFamily(sample, plan);
  }

  base::Status Read(SourceSample& sample, absl::Duration) override {
    ASHLAR_RETURN_IF_ERROR(system_.ReadInto("/proc/diskstats", buffer_));
    ASHLAR_RETURN_IF_ERROR(ParseDiskstats(buffer_, disks_));
    for (const DiskStats& disk : disks_) {
      if (!IsWatchedDisk(disk.name)) continue;
      const auto slot = SlotOf(sample, disk.name, kMaxDisks);
      if (!slot) return TooMany(kMaxDisks);
      Write(sample, *slot, disk);
    }
    return base::OkStatus();
  }

 private:
  void Write(SourceSample& sample, size_t slot, const DiskStats& disk) {
    const uint64_t columns[] = {
        disk.reads,     disk.reads_merged,    disk.sectors_read,         disk.read_milliseconds,
        disk.writes,    disk.writes_merged,   disk.sectors_written,      disk.write_milliseconds,
        disk.in_flight, disk.io_milliseconds, disk.weighted_milliseconds};
    static_assert(std::size(columns) == std::size(kDiskPlans));
    for (size_t family = 0; family < std::size(columns); ++family) {
      if (family == kInFlightFamily) {
        board_.SetGauge(sample, family, slot, static_cast<double>(columns[family]));
      } else {
        board_.SetCounter(sample, family, slot, columns[family]);
      }
    }
  }

  const os::SysReader& system_;
  std::string buffer_;
  std::vector<DiskStats> disks_;
};

class NetworkSensor final : public DeviceSensor {
 public:
  explicit NetworkSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "netdev"; }
  void Declare(SourceSample& sample) override {
    for (const FamilyPlan& plan : kNetPlans) board_.AddFamily(sample, plan);
  }

  base::Status Read(SourceSample& sample, absl::Duration) override {
    ASHLAR_RETURN_IF_ERROR(system_.ReadInto("/proc/net/dev", buffer_));
    ASHLAR_RETURN_IF_ERROR(ParseNetDev(buffer_, interfaces_));
    for (const NetInterfaceStats& interface : interfaces_) {
      const auto slot = SlotOf(sample, interface.name, kMaxNics);
      if (!slot) return TooMany(kMaxNics);
      for (size_t counter = 0; counter < kNetCounters; ++counter) {
        board_.SetCounter(sample, counter, *slot, interface.counters[counter]);
      }
    }
    return base::OkStatus();
  }

 private:
  const os::SysReader& system_;
  std::string buffer_;
  std::vector<NetInterfaceStats> interfaces_;
};

}  // namespace

std::unique_ptr<Sensor> MakeDiskSensor(const SamplerSources& sources) { return std::make_unique<DiskSensor>(sources); }
std::unique_ptr<Sensor> MakeNetworkSensor(const SamplerSources& sources) {
  return std::make_unique<NetworkSensor>(sources);
}

}  // namespace ashlar::node
