// A driver's own counters, by the ioctl that `ethtool -S` uses.
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "node/limits.h"
#include "node/network_interface.h"

namespace ashlar::node {
namespace {

// A socket to ask through; any kind does.
class ControlSocket {
 public:
  ControlSocket() : descriptor_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~ControlSocket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  bool open() const { return descriptor_ >= 0; }

  base::Status Ask(const std::string& interface, void* question) const {
    ifreq request = {};
    std::memcpy(request.ifr_name, interface.data(), interface.size());
    request.ifr_data = static_cast<char*>(question);
    if (::ioctl(descriptor_, SIOCETHTOOL, &request) == 0) return base::OkStatus();
    if (errno == ENODEV) {
      return base::Error(base::StatusCode::kNotFound, "no network interface {}", interface);
    }
    if (errno == EOPNOTSUPP) {
      return base::Error(base::StatusCode::kUnimplemented, "the driver of {} has no statistics of its own", interface);
    }
    return base::ErrnoStatus(errno, fmt::format("asking for the statistics of {}", interface));
  }

 private:
  int descriptor_;
};

// How many counters the driver has (ETHTOOL_GSSET_INFO).
base::StatusOr<uint32_t> CountStatistics(const ControlSocket& socket, const std::string& interface) {
  alignas(ethtool_sset_info) char buffer[sizeof(ethtool_sset_info) + sizeof(uint32_t)] = {};
  auto* info = reinterpret_cast<ethtool_sset_info*>(buffer);
  info->cmd = ETHTOOL_GSSET_INFO;
  info->sset_mask = uint64_t{1} << unsigned{ETH_SS_STATS};
  ASHLAR_RETURN_IF_ERROR(socket.Ask(interface, buffer));
  uint32_t count = 0;
  if (info->sset_mask != 0) std::memcpy(&count, buffer + sizeof(ethtool_sset_info), sizeof(count));
  if (count == 0) {
    return base::Error(base::StatusCode::kUnimplemented, "the driver of {} has no statistics of its own", interface);
  }
  if (count > kMaxNicStatistics) {
    return base::Error(base::StatusCode::kResourceExhausted, "the driver of {} has {} statistics, more than {}",
                       interface, count, kMaxNicStatistics);
  }
  return count;
}

}  // namespace

base::StatusOr<NicStatistics> ReadEthtoolStatistics(const std::string& interface) {
  if (interface.empty() || interface.size() >= IFNAMSIZ) {
    return base::Error(base::StatusCode::kNotFound, "`{}` is no name of a network interface", interface);
  }
  const ControlSocket socket;
  if (!socket.open()) return base::ErrnoStatus(errno, "opening a socket to ask network drivers");
  ASHLAR_ASSIGN_OR_RETURN(const uint32_t count, CountStatistics(socket, interface));
  // Words keep both structures aligned.
  std::vector<uint64_t> names((sizeof(ethtool_gstrings) + size_t{count} * ETH_GSTRING_LEN) / sizeof(uint64_t) + 1);
  std::vector<uint64_t> values(sizeof(ethtool_stats) / sizeof(uint64_t) + 1 + count);
  auto* strings = reinterpret_cast<ethtool_gstrings*>(names.data());
  strings->cmd = ETHTOOL_GSTRINGS;
  strings->string_set = ETH_SS_STATS;
  strings->len = count;
  ASHLAR_RETURN_IF_ERROR(socket.Ask(interface, names.data()));
  auto* statistics = reinterpret_cast<ethtool_stats*>(values.data());
  statistics->cmd = ETHTOOL_GSTATS;
  statistics->n_stats = count;
  ASHLAR_RETURN_IF_ERROR(socket.Ask(interface, values.data()));
  if (strings->len != count || statistics->n_stats != count) {
    return base::Error(base::StatusCode::kUnavailable, "the statistics of {} changed while they were read", interface);
  }
  NicStatistics result;
  const char* text = reinterpret_cast<const char*>(names.data()) + sizeof(ethtool_gstrings);
  const char* numbers = reinterpret_cast<const char*>(values.data()) + sizeof(ethtool_stats);
  for (uint32_t at = 0; at < count; ++at) {
    const char* name = text + size_t{at} * ETH_GSTRING_LEN;
    uint64_t value = 0;
    std::memcpy(&value, numbers + size_t{at} * sizeof(value), sizeof(value));
    result.emplace(std::string(name, ::strnlen(name, ETH_GSTRING_LEN)), value);
  }
  return result;
}

}  // namespace ashlar::node
