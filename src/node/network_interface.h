// Network interfaces: what drives them, whether they are up, and which of them carries Azure's accelerated networking.
//
// On Azure a synthetic interface (hv_netvsc) and a virtual function (mlx4, mlx5, mana) share a MAC address; the virtual
// function is a SLAVE without an address of its own, and carries the traffic when the vf_* statistics of the synthetic
// one rise. It may vanish for minutes while the host is serviced. Any thread may call these.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/unknown.h"
#include "os/os.h"

namespace ashlar::node {

// A driver's own counters of one interface ("vf_rx_packets"), as `ethtool -S` shows them.
using NicStatistics = std::map<std::string, uint64_t>;
using NicStatisticsReader = std::function<base::StatusOr<NicStatistics>(const std::string& interface)>;

struct Nic {
  std::string name;
  std::optional<std::string> driver;  // "hv_netvsc", "mlx5_core"; absent for software interfaces such as lo
  std::optional<std::string> state;   // operstate: "up", "down", "unknown"
  std::optional<bool> carrier;        // absent while the interface is administratively down
  std::optional<uint64_t> speed_bits_per_second;
  std::optional<uint32_t> mtu_bytes;
  std::optional<std::string> mac;
  bool is_physical = false;                     // has a device below it
  bool is_slave = false;                        // IFF_SLAVE
  bool is_virtual_function = false;             // a PCI virtual function, or the accelerated half of a synthetic pair
  std::optional<std::string> virtual_function;  // of a synthetic interface: its accelerated half
  std::optional<std::string> synthetic;         // of a virtual function: its synthetic half
  std::optional<bool> carries_traffic;          // of a pair: whether packets go over the virtual function
  std::optional<int64_t> numa_node;
  Unknowns unknowns;  // fields relative to the interface: "speed_bits_per_second"
};

// Every interface, in the order of their names. `statistics` may be empty: whether a virtual function carries traffic
// is then read from its own /sys counters. An error only when /sys/class/net cannot be listed or holds over kMaxNics.
base::StatusOr<std::vector<Nic>> ReadNics(const os::SysReader& system, const NicStatisticsReader& statistics);

// The machine's own reader: ioctl SIOCETHTOOL with ETHTOOL_GSTATS (linux/ethtool.h). kNotFound for an unknown
// interface, kUnimplemented when its driver has no statistics.
base::StatusOr<NicStatistics> ReadEthtoolStatistics(const std::string& interface);

base::Json NicToJson(const Nic& nic);

}  // namespace ashlar::node
