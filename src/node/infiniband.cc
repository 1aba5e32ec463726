#include "node/infiniband.h"

#include "node/json_value.h"
#include "node/kernel/text_scanner.h"
#include "node/limits.h"

namespace ashlar::node {
namespace {

constexpr std::string_view kClass = "/sys/class/infiniband";

// Reads one attribute as text; absent with a line when it cannot be read or is empty.
void ReadText(const os::SysReader& system, const std::string& path, std::string_view field,
              std::optional<std::string>& value, Unknowns& unknowns) {
  base::StatusOr<std::string> text = system.ReadTrimmed(path);
  if (text.ok() && text->empty()) text = base::Error(base::StatusCode::kInvalidArgument, "{} is empty", path);
  if (text.ok()) {
    value = *std::move(text);
  } else {
    AddUnknown(unknowns, field, text.status());
  }
}

void ReadState(const os::SysReader& system, const std::string& path, std::string_view field,
               std::optional<RdmaState>& state, Unknowns& unknowns) {
  base::StatusOr<std::string> text = system.ReadTrimmed(path);
  base::StatusOr<RdmaState> parsed = text.ok() ? ParseRdmaState(*text) : text.status();
  if (parsed.ok()) {
    state = *std::move(parsed);
  } else {
    AddUnknown(unknowns, field, base::Annotate(parsed.status(), path));
  }
}

// Both folders of counters; drivers refuse single ones (EINVAL, ENODATA), and those are absent.
void ReadCounters(const os::SysReader& system, const std::string& port_path, RdmaPort& port) {
  for (const std::string_view folder : {"counters", "hw_counters"}) {
    const std::string path = fmt::format("{}/{}", port_path, folder);
    const auto names = system.List(path);
    if (!names.ok()) {
      // hw_counters is the driver's own and may be missing; counters belong to every port.
      if (folder == "counters") AddUnknown(port.unknowns, "counters", names.status());
      continue;
    }
    for (const std::string& name : *names) {
      if (name == "lifespan") continue;  // how often the driver refreshes, no counter
      if (port.counters.size() >= kMaxRdmaCounters) {
        return AddUnknown(
            port.unknowns, "counters",
            base::Error(base::StatusCode::kResourceExhausted, "{}: more than {} counters", path, kMaxRdmaCounters));
      }
      const auto text = system.ReadTrimmed(fmt::format("{}/{}", path, name));
      const auto number = text.ok() ? base::ParseUint64(*text) : std::nullopt;
      if (number) {
        port.counters.emplace(name, *number);
      } else {
        AddUnknown(port.unknowns, fmt::format("counters.{}", name),
                   text.ok() ? base::Error(base::StatusCode::kInvalidArgument, "{}/{}: `{}` is no count", path, name,
                                           Excerpt(*text))
                             : text.status());
      }
    }
  }
}

RdmaPort ReadPort(const os::SysReader& system, const std::string& path, uint32_t number) {
  RdmaPort port;
  port.number = number;
  ReadState(system, path + "/state", "state", port.state, port.unknowns);
  ReadState(system, path + "/phys_state", "physical_state", port.physical_state, port.unknowns);
  ReadText(system, path + "/rate", "rate", port.rate_text, port.unknowns);
  ReadText(system, path + "/link_layer", "link_layer", port.link_layer, port.unknowns);
  if (port.rate_text) {
    const auto rate = ParseRdmaRate(*port.rate_text);
    if (rate.ok()) {
      port.rate_bits_per_second = *rate;
    } else {
      AddUnknown(port.unknowns, "rate_bits_per_second", rate.status());
    }
  }
  ReadCounters(system, path, port);
  return port;
}

void ReadPorts(const os::SysReader& system, const std::string& path, RdmaDevice& device) {
  const auto names = system.List(path + "/ports");
  if (!names.ok()) return AddUnknown(device.unknowns, "ports", names.status());
  for (const std::string& name : *names) {
    const auto number = base::ParseUint64(name);
    if (!number || device.ports.size() >= kMaxRdmaPorts) {
      AddUnknown(device.unknowns, "ports",
                 base::Error(base::StatusCode::kInvalidArgument, "{}/ports/{}: no port, or more than {}", path,
                             Excerpt(name), kMaxRdmaPorts));
      continue;
    }
    device.ports.push_back(ReadPort(system, fmt::format("{}/ports/{}", path, name), static_cast<uint32_t>(*number)));
  }
}

RdmaDevice ReadDevice(const os::SysReader& system, const std::string& name) {
  RdmaDevice device;
  device.name = name;
  const std::string path = fmt::format("{}/{}", kClass, name);
  ReadText(system, path + "/node_guid", "node_guid", device.node_guid, device.unknowns);
  ReadText(system, path + "/board_id", "board_id", device.board_id, device.unknowns);
  ReadText(system, path + "/fw_ver", "firmware_version", device.firmware_version, device.unknowns);
  ReadText(system, path + "/node_type", "node_type", device.node_type, device.unknowns);
  const auto numa = system.ReadInt(path + "/device/numa_node");
  if (numa.ok()) {
    device.numa_node = *numa;
  } else {
    AddUnknown(device.unknowns, "numa_node", numa.status());
  }
  // No such folder is a device without a network interface, which is nothing unusual.
  if (auto interfaces = system.List(path + "/device/net"); interfaces.ok()) device.interfaces = *std::move(interfaces);
  ReadPorts(system, path, device);
  return device;
}

base::Json PortToJson(const RdmaPort& port) {
  base::JsonObject counters;
  for (const auto& [name, count] : port.counters) counters[base::Utf8Text(name)] = ToJson(count);
  return base::JsonObject{
      {"number", port.number},
      {"state", port.state ? base::Json(port.state->name) : base::Json(nullptr)},
      {"physical_state", port.physical_state ? base::Json(port.physical_state->name) : base::Json(nullptr)},
      {"rate_bits_per_second", ValueOrNull(port.rate_bits_per_second)},
      {"rate", ValueOrNull(port.rate_text)},
      {"link_layer", ValueOrNull(port.link_layer)},
      {"counters", std::move(counters)}};
}

}  // namespace

base::StatusOr<RdmaState> ParseRdmaState(std::string_view text) {
  const std::string_view trimmed = base::Trim(text);
  const size_t colon = trimmed.find(':');
  const auto number = base::ParseUint64(trimmed.substr(0, colon));
  constexpr uint64_t kHighestState = 15;  // four bits in the subnet management packet
  if (colon == std::string_view::npos || !number || *number > kHighestState) {
    return base::Error(base::StatusCode::kInvalidArgument, "`{}` is no state such as `4: ACTIVE`", Excerpt(trimmed));
  }
  const std::string_view name = base::Trim(trimmed.substr(colon + 1));
  if (name.empty() || Excerpt(name) != name) {
    return base::Error(base::StatusCode::kInvalidArgument, "`{}` names no state", Excerpt(trimmed));
  }
  return RdmaState{static_cast<uint32_t>(*number), std::string(name)};
}

base::StatusOr<double> ParseRdmaRate(std::string_view text) {
  constexpr double kGiga = 1e9;
  constexpr double kHighestGigabits = 1e6;
  WordScanner words(base::Trim(text));
  const auto gigabits = base::ParseDouble(words.Next());
  if (!gigabits || *gigabits < 0 || *gigabits > kHighestGigabits || words.Next() != "Gb/sec") {
    return base::Error(base::StatusCode::kInvalidArgument, "`{}` is no rate such as `400 Gb/sec (4X NDR)`",
                       Excerpt(base::Trim(text)));
  }
  return *gigabits * kGiga;
}

base::StatusOr<std::vector<RdmaDevice>> ReadRdmaDevices(const os::SysReader& system) {
  std::vector<RdmaDevice> devices;
  if (!system.Exists(kClass)) return devices;
  ASHLAR_ASSIGN_OR_RETURN(const std::vector<std::string> names, system.List(kClass));
  if (names.size() > kMaxRdmaDevices) {
    return base::Error(base::StatusCode::kResourceExhausted, "{}: {} devices, more than {}", kClass, names.size(),
                       kMaxRdmaDevices);
  }
  for (const std::string& name : names) devices.push_back(ReadDevice(system, name));
  return devices;
}

base::Json RdmaDeviceToJson(const RdmaDevice& device) {
  base::JsonArray interfaces;
  for (const std::string& interface : device.interfaces) interfaces.push_back(ToJson(interface));
  base::JsonArray ports;
  for (const RdmaPort& port : device.ports) ports.push_back(PortToJson(port));
  return base::JsonObject{{"name", ToJson(device.name)},
                          {"node_guid", ValueOrNull(device.node_guid)},
                          {"board_id", ValueOrNull(device.board_id)},
                          {"firmware_version", ValueOrNull(device.firmware_version)},
                          {"node_type", ValueOrNull(device.node_type)},
                          {"numa_node", ValueOrNull(device.numa_node)},
                          {"interfaces", std::move(interfaces)},
                          {"ports", std::move(ports)}};
}

}  // namespace ashlar::node
