#include "node/checks/resolver_configuration.h"

#include <arpa/inet.h>

#include <array>

namespace ashlar::node {
namespace {

bool IsAddress(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  const std::string plain = text.substr(0, text.find('%'));
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, plain.c_str(), bytes.data()) == 1;
}

}  // namespace

base::StatusOr<std::vector<std::string>> ParseNameServers(std::string_view text) {
  std::vector<std::string> servers;
  for (const std::string_view line : base::SplitLines(text)) {
    const auto words = base::SplitWords(line);
    if (words.empty() || words[0] != "nameserver") continue;
    const std::string address = words.size() > 1 ? std::string(words[1]) : "";
    if (address.find('\0') != std::string::npos || !IsAddress(address)) {
      constexpr size_t kShown = 60;
      return base::Error(base::StatusCode::kInvalidArgument, "/etc/resolv.conf: nameserver \"{}\" is no address",
                         address.substr(0, kShown));
    }
    servers.push_back(address);
  }
  return servers;
}

}  // namespace ashlar::node
