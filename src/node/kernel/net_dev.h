// /proc/net/dev: what network interfaces have received and sent since they appeared.
//
// Format: Linux net/core/net-procfs.c. Any thread may call.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace ashlar::node {

// In the order of the columns.
enum NetCounter : uint8_t {
  kReceiveBytes,
  kReceivePackets,
  kReceiveErrors,
  kReceiveDrops,
  kReceiveFifo,
  kReceiveFrame,
  kReceiveCompressed,
  kReceiveMulticast,
  kTransmitBytes,
  kTransmitPackets,
  kTransmitErrors,
  kTransmitDrops,
  kTransmitFifo,
  kTransmitCollisions,
  kTransmitCarrier,
  kTransmitCompressed,
  kNetCounters,
};

struct NetInterfaceStats {
  std::string_view name;  // part of the text that was read
  std::array<uint64_t, kNetCounters> counters = {};
};

// One row an interface into `interfaces`, reusing its memory; names point into `text`. kInvalidArgument when the two
// header lines are missing or a row is malformed, kResourceExhausted for more than kMaxNics.
base::Status ParseNetDev(std::string_view text, std::vector<NetInterfaceStats>& interfaces);

}  // namespace ashlar::node
