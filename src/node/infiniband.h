// RDMA devices and their counters as /sys/class/infiniband shows them (InfiniBand and RoCE alike).
//
// Formats: Linux Documentation/ABI/stable/sysfs-class-infiniband. Any thread may call these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/unknown.h"
#include "os/os.h"

namespace ashlar::node {

// "4: ACTIVE" and "5: LinkUp" as the kernel writes them.
struct RdmaState {
  uint32_t number = 0;
  std::string name;
};

struct RdmaPort {
  uint32_t number = 0;
  std::optional<RdmaState> state;           // 4 is ACTIVE
  std::optional<RdmaState> physical_state;  // 5 is LinkUp
  std::optional<double> rate_bits_per_second;
  std::optional<std::string> rate_text;   // "400 Gb/sec (4X NDR)"
  std::optional<std::string> link_layer;  // "InfiniBand", "Ethernet"
  // Files of counters/ and hw_counters/ by name; port_*_data count 4-byte words as in sysfs. A counter that the driver
  // refuses is absent.
  std::map<std::string, uint64_t> counters;
  Unknowns unknowns;  // fields relative to the port: "state"
};

struct RdmaDevice {
  std::string name;  // "mlx5_0", "mlx5_ib0"
  std::optional<std::string> node_guid;
  std::optional<std::string> board_id;
  std::optional<std::string> firmware_version;
  std::optional<std::string> node_type;  // "1: CA"
  std::optional<int64_t> numa_node;
  std::vector<std::string> interfaces;  // network interfaces of the same PCI function: "ib0"
  std::vector<RdmaPort> ports;
  Unknowns unknowns;  // fields relative to the device: "firmware_version"
};

// "4: ACTIVE". kInvalidArgument for anything else.
base::StatusOr<RdmaState> ParseRdmaState(std::string_view text);

// "400 Gb/sec (4X NDR)" is 4e11; a fraction ("2.5 Gb/sec (1X SDR)") is read. kInvalidArgument otherwise.
base::StatusOr<double> ParseRdmaRate(std::string_view text);

// Every device, in the order of their names; none when the kernel has no RDMA at all. An error only when the class
// directory exists and cannot be listed, or holds more than kMaxRdmaDevices.
base::StatusOr<std::vector<RdmaDevice>> ReadRdmaDevices(const os::SysReader& system);

base::Json RdmaDeviceToJson(const RdmaDevice& device);

}  // namespace ashlar::node
