#include "node/network_interface.h"

#include <algorithm>

#include "node/json_value.h"
#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kClass = "/sys/class/net";
constexpr std::string_view kSyntheticDriver = "hv_netvsc";
constexpr uint64_t kSlaveFlag = 0x800;  // IFF_SLAVE, linux/if.h

std::string_view LastPart(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The value of an attribute that must be there.
base::StatusOr<std::string> Attribute(const os::SysReader& system, const Nic& nic, std::string_view name) {
  const std::string path = fmt::format("{}/{}/{}", kClass, nic.name, name);
  ASHLAR_ASSIGN_OR_RETURN(std::string text, system.ReadTrimmed(path));
  if (text.empty()) return base::Error(base::StatusCode::kInvalidArgument, "{} is empty", path);
  return text;
}

base::StatusOr<std::string> ReadMac(const os::SysReader& system, const Nic& nic) {
  ASHLAR_ASSIGN_OR_RETURN(std::string mac, Attribute(system, nic, "address"));
  const auto pieces = base::Split(mac, ':');
  const bool well_formed = std::all_of(pieces.begin(), pieces.end(), [](std::string_view piece) {
    return piece.size() == 2 && base::ParseHex(piece).has_value();
  });
  if (!well_formed) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}/{}/address: `{}` is no address", kClass, nic.name,
                       Excerpt(mac));
  }
  return mac;
}

// Absent for interfaces that have no speed of their own (lo, bridges) and while the link is down (-1 or EINVAL).
void ReadSpeed(const os::SysReader& system, Nic& nic) {
  constexpr int64_t kBitsPerMegabit = 1'000'000;
  constexpr int64_t kHighestMegabits = 100'000'000;
  if (!nic.is_physical || nic.carrier != true) return;
  const std::string path = fmt::format("{}/{}/speed", kClass, nic.name);
  base::StatusOr<int64_t> megabits = system.ReadInt(path);
  if (megabits.ok() && (*megabits <= 0 || *megabits > kHighestMegabits)) {
    megabits =
        base::Error(base::StatusCode::kUnavailable, "{}: {} is no speed; the driver does not know it", path, *megabits);
  }
  if (megabits.ok()) {
    nic.speed_bits_per_second = static_cast<uint64_t>(*megabits * kBitsPerMegabit);
  } else {
    AddUnknown(nic.unknowns, "speed_bits_per_second", megabits.status());
  }
}

void ReadCarrier(const os::SysReader& system, Nic& nic) {
  const std::string path = fmt::format("{}/{}/carrier", kClass, nic.name);
  const base::StatusOr<int64_t> carrier = system.ReadInt(path);
  if (carrier.ok() && (*carrier == 0 || *carrier == 1)) {
    nic.carrier = *carrier == 1;
  } else if (nic.state != "down") {
    // The kernel refuses the question (EINVAL) while the interface is down.
    AddUnknown(nic.unknowns, "carrier",
               carrier.ok()
                   ? base::Error(base::StatusCode::kInvalidArgument, "{}: {} is neither 0 nor 1", path, *carrier)
                   : carrier.status());
  }
}

void ReadHardware(const os::SysReader& system, Nic& nic) {
  const std::string path = fmt::format("{}/{}/device", kClass, nic.name);
  nic.is_physical = system.Exists(path);
  if (!nic.is_physical) return;
  const auto driver = system.ReadLink(path + "/driver");
  if (driver.ok()) {
    nic.driver = std::string(LastPart(*driver));
  } else {
    AddUnknown(nic.unknowns, "driver", driver.status());
  }
  if (const auto numa = system.ReadInt(path + "/numa_node"); numa.ok()) nic.numa_node = *numa;
  nic.is_virtual_function = system.Exists(path + "/physfn");
}

Nic ReadNic(const os::SysReader& system, const std::string& name) {
  Nic nic;
  nic.name = name;
  ReadHardware(system, nic);
  const auto keep = [&nic](std::string_view field, base::StatusOr<std::string> text,
                           std::optional<std::string>& value) {
    if (text.ok()) {
      value = *std::move(text);
    } else {
      AddUnknown(nic.unknowns, field, text.status());
    }
  };
  keep("state", Attribute(system, nic, "operstate"), nic.state);
  keep("mac", ReadMac(system, nic), nic.mac);
  ReadCarrier(system, nic);
  ReadSpeed(system, nic);
  constexpr int64_t kHighestMtu = int64_t{1} << 20U;
  const auto mtu = system.ReadInt(fmt::format("{}/{}/mtu", kClass, name));
  if (mtu.ok() && *mtu > 0 && *mtu <= kHighestMtu) {
    nic.mtu_bytes = static_cast<uint32_t>(*mtu);
  } else {
    AddUnknown(nic.unknowns, "mtu_bytes",
               mtu.ok() ? base::Error(base::StatusCode::kInvalidArgument, "an MTU of {}", *mtu) : mtu.status());
  }
  const auto flags_text = Attribute(system, nic, "flags");
  const auto flags = flags_text.ok() ? base::ParseHex(*flags_text) : std::nullopt;
  nic.is_slave = flags && (*flags & kSlaveFlag) != 0;
  if (!flags) {
    AddUnknown(
        nic.unknowns, "flags",
        flags_text.ok() ? base::Error(base::StatusCode::kInvalidArgument, "flags are no number") : flags_text.status());
  }
  return nic;
}

// Packets that the accelerated half has carried: the synthetic driver's own count, else the virtual function's.
base::StatusOr<uint64_t> AcceleratedPackets(const os::SysReader& system, const NicStatisticsReader& statistics,
                                            const Nic& synthetic, const Nic& function) {
  base::StatusOr<NicStatistics> counts = base::Error(base::StatusCode::kUnimplemented, "no reader of statistics");
  if (statistics) counts = statistics(synthetic.name);
  if (counts.ok() && counts->contains("vf_rx_packets") && counts->contains("vf_tx_packets")) {
    return counts->at("vf_rx_packets") + counts->at("vf_tx_packets");
  }
  uint64_t packets = 0;
  for (const std::string_view name : {"rx_packets", "tx_packets"}) {
    ASHLAR_ASSIGN_OR_RETURN(const int64_t count,
                            system.ReadInt(fmt::format("{}/{}/statistics/{}", kClass, function.name, name)));
    if (count < 0) return base::Error(base::StatusCode::kInvalidArgument, "{} of {} packets", name, count);
    packets += static_cast<uint64_t>(count);
  }
  return packets;
}

void Pair(const os::SysReader& system, const NicStatisticsReader& statistics, Nic& synthetic, Nic& function) {
  synthetic.virtual_function = function.name;
  function.synthetic = synthetic.name;
  function.is_virtual_function = true;
  const auto packets = AcceleratedPackets(system, statistics, synthetic, function);
  if (!packets.ok()) {
    AddUnknown(synthetic.unknowns, "carries_traffic", packets.status());
    AddUnknown(function.unknowns, "carries_traffic", packets.status());
    return;
  }
  synthetic.carries_traffic = *packets > 0;
  function.carries_traffic = *packets > 0;
}

void PairAll(const os::SysReader& system, const NicStatisticsReader& statistics, std::vector<Nic>& nics) {
  for (Nic& synthetic : nics) {
    if (synthetic.driver != kSyntheticDriver || !synthetic.mac) continue;
    for (Nic& function : nics) {
      if (&function == &synthetic || function.driver == kSyntheticDriver || !function.is_physical) continue;
      if (function.is_slave && function.mac == synthetic.mac) Pair(system, statistics, synthetic, function);
    }
  }
}

}  // namespace

base::StatusOr<std::vector<Nic>> ReadNics(const os::SysReader& system, const NicStatisticsReader& statistics) {
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> names, system.List(kClass));
  if (names.size() > kMaxNics) {
    return base::Error(base::StatusCode::kResourceExhausted, "{}: {} interfaces, more than {}", kClass, names.size(),
                       kMaxNics);
  }
  std::vector<Nic> nics;
  for (const std::string& name : names) {
    // bonding_masters is a plain file among the interfaces.
    if (system.Exists(fmt::format("{}/{}/operstate", kClass, name))) nics.push_back(ReadNic(system, name));
  }
  PairAll(system, statistics, nics);
  return nics;
}

base::Json NicToJson(const Nic& nic) {
  return base::JsonObject{{"name", ToJson(nic.name)},
                          {"driver", ValueOrNull(nic.driver)},
                          {"state", ValueOrNull(nic.state)},
                          {"carrier", ValueOrNull(nic.carrier)},
                          {"speed_bits_per_second", ValueOrNull(nic.speed_bits_per_second)},
                          {"mtu_bytes", ValueOrNull(nic.mtu_bytes)},
                          {"mac", ValueOrNull(nic.mac)},
                          {"is_physical", nic.is_physical},
                          {"is_slave", nic.is_slave},
                          {"is_virtual_function", nic.is_virtual_function},
                          {"virtual_function", ValueOrNull(nic.virtual_function)},
                          {"synthetic", ValueOrNull(nic.synthetic)},
                          {"carries_traffic", ValueOrNull(nic.carries_traffic)},
                          {"numa_node", ValueOrNull(nic.numa_node)}};
}

}  // namespace ashlar::node
