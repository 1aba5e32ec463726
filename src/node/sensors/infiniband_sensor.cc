// Traffic, errors and states of RDMA ports.
#include <map>

#include "node/infiniband.h"
#include "node/limits.h"
#include "node/sensors/held_file.h"
#include "node/sensors/sensor.h"

namespace ashlar::node {
namespace {

constexpr double kBytesPerWord = 4;  // port_*_data count 4-byte words (sysfs-class-infiniband)
constexpr SeriesType kCounter = SeriesType::kCounter;

struct CounterRow {
  std::string_view file;  // in counters/
  FamilyPlan plan;
};

constexpr CounterRow kCounters[] = {
    {"port_rcv_data",
     {"node_infiniband_port_data_received_bytes_total", "Number of data octets received on all links", kCounter,
      kBytesPerWord}},
    {"port_xmit_data",
     {"node_infiniband_port_data_transmitted_bytes_total", "Number of data octets transmitted on all links", kCounter,
      kBytesPerWord}},
    {"port_rcv_packets",
     {"node_infiniband_port_packets_received_total", "Number of packets received on all VLs by this port", kCounter}},
    {"port_xmit_packets",
     {"node_infiniband_port_packets_transmitted_total", "Number of packets transmitted on all VLs from this port",
      kCounter}},
    {"port_rcv_errors",
     {"node_infiniband_port_errors_received_total", "Number of packets containing an error that were received",
      kCounter}},
    {"port_xmit_discards",
     {"node_infiniband_port_discards_transmitted_total",
      "Number of outbound packets discarded because the port is down or congested", kCounter}},
    {"port_xmit_wait",
     {"node_infiniband_port_transmit_wait_total", "Number of ticks during which the port had data but did not send it",
      kCounter, 1, CounterKind::k32Bit}},
    {"port_rcv_constraint_errors",
     {"node_infiniband_port_constraint_errors_received_total",
      "Number of packets received on the switch physical port that are discarded", kCounter}},
    {"port_xmit_constraint_errors",
     {"node_infiniband_port_constraint_errors_transmitted_total",
      "Number of packets not transmitted from the switch physical port", kCounter}},
    {"link_downed",
     {"node_infiniband_link_downed_total",
      "Number of times the link failed to recover from an error state and went down", kCounter}},
    {"link_error_recovery",
     {"node_infiniband_link_error_recovery_total",
      "Number of times the link successfully recovered from an error state", kCounter}},
    {"symbol_error",
     {"node_infiniband_symbol_error_total", "Number of minor link errors detected on one or more physical lanes",
      kCounter}},
    {"local_link_integrity_errors",
     {"node_infiniband_local_link_integrity_errors_total",
      "Number of times that local physical errors exceeded the threshold", kCounter}},
    {"excessive_buffer_overrun_errors",
     {"node_infiniband_excessive_buffer_overrun_errors_total",
      "Number of times that buffers overran in consecutive flow control periods", kCounter}},
    {"VL15_dropped",
     {"node_infiniband_vl15_dropped_total", "Number of incoming VL15 packets dropped for lack of resources", kCounter}},
    {"unicast_rcv_packets",
     {"node_infiniband_unicast_packets_received_total", "Number of unicast packets received", kCounter}},
    {"unicast_xmit_packets",
     {"node_infiniband_unicast_packets_transmitted_total", "Number of unicast packets transmitted", kCounter}},
    {"multicast_rcv_packets",
     {"node_infiniband_multicast_packets_received_total", "Number of multicast packets received", kCounter}},
    {"multicast_xmit_packets",
     {"node_infiniband_multicast_packets_transmitted_total", "Number of multicast packets transmitted", kCounter}},
};
constexpr size_t kStateFamily = std::size(kCounters);
constexpr size_t kPhysicalStateFamily = kStateFamily + 1;
constexpr size_t kRateFamily = kPhysicalStateFamily + 1;

constexpr FamilyPlan kGauges[] = {
    {"node_infiniband_state_id",
     "State of the InfiniBand port (0: no change, 1: down, 2: init, 3: armed, 4: active, 5: act defer)"},
    {"node_infiniband_physical_state_id",
     "Physical state of the InfiniBand port (0: no change, 1: sleep, 2: polling, 3: disable, 4: shift, 5: link up, 6: "
     "link error recover, 7: phytest)"},
    {"node_infiniband_rate_bytes_per_second", "Maximum signal transfer rate"},
};

// One port's files, kept open.
struct Port {
  size_t slot = 0;
  bool present = false;
  std::vector<HeldFile> counters;  // in the order of kCounters
  std::vector<HeldFile> gauges;    // state, physical state, rate
};

class InfiniBandSensor final : public Sensor {
 public:
  explicit InfiniBandSensor(const SamplerSources& sources) : system_(sources.system) {}

  std::string_view name() const override { return "infiniband"; }
  void Declare(SourceSample& sample) override {
    for (const CounterRow& row : kCounters) board_.AddFamily(sample, row.plan);
    for (const FamilyPlan& plan : kGauges) board_.AddFamily(sample, plan);
  }

  base::Status Read(SourceSample& sample, absl::Duration now) override {
    if (!scanned_ || now - scanned_at_ >= kDeviceRescan) {
      scan_status_ = Scan(sample);
      scanned_ = true;
      scanned_at_ = now;
    }
    base::Status worst = scan_status_;
    for (auto& [path, port] : ports_) {
      if (!port.present) continue;
      const base::Status status = ReadPort(sample, port);
      if (worst.ok()) worst = status;
    }
    return worst;
  }

 private:
  static constexpr std::string_view kClass = "/sys/class/infiniband";

  base::Status Scan(SourceSample& sample) {
    for (auto& [path, port] : ports_) port.present = false;
    ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> devices, system_.List(kClass));
    for (const std::string& device : devices) {
      const std::string folder = fmt::format("{}/{}/ports", kClass, device);
      ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> numbers, system_.List(folder));
      for (const std::string& number : numbers) {
        ASHLAR_RETURN_IF_ERROR(FindPort(sample, device, number));
      }
    }
    return base::OkStatus();
  }

  base::Status FindPort(SourceSample& sample, const std::string& device, const std::string& number) {
    const std::string path = fmt::format("{}/{}/ports/{}", kClass, device, number);
    auto known = ports_.find(path);
    if (known == ports_.end()) {
      if (ports_.size() >= kMaxWatchedRdmaPorts) {
        return base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} ports", kClass,
                           kMaxWatchedRdmaPorts);
      }
      known = ports_.emplace(path, MakePort(path)).first;
      known->second.slot =
          board_.AddToAll(sample, fmt::format("{},{}", Label("device", device), Label("port", number)));
    }
    known->second.present = true;
    return base::OkStatus();
  }

  // Counters that the driver does not have are found out here, once, and are no failure later.
  Port MakePort(const std::string& path) const {
    Port port;
    for (const CounterRow& row : kCounters) {
      port.counters.emplace_back(fmt::format("{}{}/counters/{}", system_.root(), path, row.file));
    }
    for (const std::string_view file : {"state", "phys_state", "rate"}) {
      port.gauges.emplace_back(fmt::format("{}{}/{}", system_.root(), path, file));
    }
    return port;
  }

  base::Status ReadPort(SourceSample& sample, Port& port) {
    base::Status worst;
    const auto note = [&worst](const base::Status& status) {
      if (worst.ok()) worst = status;
    };
    for (size_t family = 0; family < port.counters.size(); ++family) {
      const auto count = port.counters[family].ReadUint64();
      if (count.ok()) {
        board_.SetCounter(sample, family, port.slot, *count);
      } else if (!absl::IsNotFound(count.status()) && !absl::IsInvalidArgument(count.status())) {
        note(count.status());
      }
    }
    for (const size_t family : {kStateFamily, kPhysicalStateFamily}) {
      const auto text = port.gauges[family - kStateFamily].Read();
      const auto state = text.ok() ? ParseRdmaState(*text) : text.status();
      if (state.ok())
        board_.SetGauge(sample, family, port.slot, state->number);
      else
        note(state.status());
    }
    const auto text = port.gauges.back().Read();
    const auto rate = text.ok() ? ParseRdmaRate(*text) : text.status();
    constexpr double kBitsPerByte = 8;
    if (rate.ok())
      board_.SetGauge(sample, kRateFamily, port.slot, *rate / kBitsPerByte);
    else
      note(rate.status());
    return worst;
  }

  const os::SysReader& system_;
  std::map<std::string, Port> ports_;  // by path
  bool scanned_ = false;
  absl::Duration scanned_at_;
  base::Status scan_status_;
};

}  // namespace

std::unique_ptr<Sensor> MakeInfiniBandSensor(const SamplerSources& sources) {
  return std::make_unique<InfiniBandSensor>(sources);
}

}  // namespace ashlar::node
