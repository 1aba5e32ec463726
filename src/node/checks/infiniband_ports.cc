#include "node/checks/infiniband_ports.h"

#include <algorithm>

#include "node/checks/finding.h"
#include "node/infiniband.h"

namespace ashlar::node {
namespace {

constexpr double kGiga = 1e9;
constexpr uint32_t kActive = 4;  // IB_PORT_ACTIVE, include/rdma/ib_verbs.h
constexpr uint32_t kLinkUp = 5;  // IB_PORT_PHYS_STATE_LINK_UP

struct PortFaults {
  uint64_t ports = 0;  // of InfiniBand
  double fastest = 0;  // Gb/s
  std::vector<std::string> down;
  std::vector<std::string> unreadable;
};

std::string PortName(const RdmaDevice& device, const RdmaPort& port) {
  return fmt::format("{}:{}", device.name, port.number);
}

void LookAtPort(const RdmaDevice& device, const RdmaPort& port, PortFaults& faults) {
  const std::string name = PortName(device, port);
  if (!port.state || !port.physical_state || !port.rate_bits_per_second || !port.link_layer) {
    faults.unreadable.push_back(name);
    return;
  }
  if (port.state->number != kActive || port.physical_state->number != kLinkUp) {
    faults.down.push_back(fmt::format("{} is {}, {}", name, port.state->name, port.physical_state->name));
  }
  // RDMA over Ethernet, as Azure's accelerated networking, is up or down like the rest but has another rate.
  if (*port.link_layer != "InfiniBand") return;
  ++faults.ports;
  faults.fastest = std::max(faults.fastest, *port.rate_bits_per_second / kGiga);
}

std::vector<std::string> SlowPorts(const std::vector<RdmaDevice>& devices, double rate) {
  std::vector<std::string> slow;
  for (const auto& device : devices) {
    for (const auto& port : device.ports) {
      if (port.link_layer != "InfiniBand" || !port.rate_bits_per_second) continue;
      const double own = *port.rate_bits_per_second / kGiga;
      if (own < rate) slow.push_back(fmt::format("{} at {:g} Gb/s", PortName(device, port), own));
    }
  }
  return slow;
}

base::Finding Judge(base::Finding finding, const std::vector<RdmaDevice>& devices, const Expectations& expectations) {
  PortFaults faults;
  for (const auto& device : devices) {
    for (const auto& port : device.ports) LookAtPort(device, port, faults);
  }
  const auto count = expectations.Whole("infiniband_port_count");
  const auto rate = expectations.Number("infiniband_gigabits_per_second");
  const double least = rate ? rate->value : faults.fastest;
  finding.value = faults.ports;
  Expect(finding, fmt::format("{} ports ACTIVE, LinkUp, {:g} Gb/s", count ? count->value : faults.ports, least),
         rate ? rate->source : (count ? count->source : "the fastest port of the machine"));
  const auto slow = SlowPorts(devices, least);
  if (!faults.down.empty()) {
    return Fail(std::move(finding),
                fmt::format("{}: check cable, switch port and subnet manager (ibstat, sminfo)", FewNames(faults.down)));
  }
  if (!slow.empty()) {
    return Fail(std::move(finding), fmt::format("{}: check cable and switch port (ibstatus)", FewNames(slow)));
  }
  if (!faults.unreadable.empty()) {
    return CannotTell(std::move(finding), fmt::format("cannot read state and rate of {}: look at "
                                                      "/sys/class/infiniband",
                                                      FewNames(faults.unreadable)));
  }
  if (count && faults.ports < count->value) {
    return Fail(std::move(finding), fmt::format("{} InfiniBand ports are missing: see lspci and the kernel log for "
                                                "mlx5_core; redeploy or report the machine",
                                                count->value - faults.ports));
  }
  return Pass(std::move(finding));
}

}  // namespace

// A port can be LinkUp and not ACTIVE (no subnet manager), or ACTIVE at half its rate (a bad lane): each is looked at.
std::vector<base::Finding> CheckInfinibandPorts(const CheckContext& context) {
  base::Finding finding =
      StartFinding({"infiniband-ports", "/sys/class/infiniband/*/ports/*/{state,phys_state,rate}", "ports"});
  const auto devices = ReadRdmaDevices(context.system);
  if (!devices.ok()) return {CannotTell(std::move(finding), devices.status())};
  const auto count = context.expectations.Whole("infiniband_port_count");
  if (devices->empty() && (!count || count->value == 0)) {
    return {DoesNotApply(std::move(finding), "no RDMA device here, and none is expected")};
  }
  return {Judge(std::move(finding), *devices, context.expectations)};
}

}  // namespace ashlar::node
