#include "net/resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "net/limits.h"

namespace ashlar::net {
namespace {

// Shared by all threads: getaddrinfo cannot be interrupted, so threads of callers that gave up are counted, not joined.
std::atomic<int>& Pending() {
  static std::atomic<int> pending{0};
  return pending;
}

base::StatusOr<std::vector<std::string>> Resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  int error = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error == EAI_NONAME || error == EAI_ADDRFAMILY) {
    // AI_ADDRCONFIG hides every address on a machine that has only loopback.
    hints.ai_flags = 0;
    error = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  }
  if (error != 0) {
    return base::Error(base::StatusCode::kUnavailable, "the name {} cannot be looked up ({}): check it and the DNS",
                       host, gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* entry = found; entry != nullptr && addresses.size() < kMaxAddresses; entry = entry->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0 &&
        std::find(addresses.begin(), addresses.end(), text.data()) == addresses.end()) {
      addresses.emplace_back(text.data());
    }
  }
  if (addresses.empty()) {
    return base::Error(base::StatusCode::kUnavailable, "the name {} has no address: check it and the DNS", host);
  }
  return addresses;
}

}  // namespace

bool IsNumericAddress(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

base::Status ResolveInBackground(const std::string& host, Resolved done) {
  if (Pending().fetch_add(1) >= kMaxPendingLookups) {
    Pending().fetch_sub(1);
    return base::Error(base::StatusCode::kResourceExhausted,
                       "{} name lookups hang already: the DNS does not answer, check /etc/resolv.conf",
                       kMaxPendingLookups);
  }
  try {
    std::thread([host, done = std::move(done)] {
      done(Resolve(host));
      Pending().fetch_sub(1);
    }).detach();
  } catch (const std::system_error& error) {
    Pending().fetch_sub(1);
    return base::Error(base::StatusCode::kResourceExhausted, "no thread for a name lookup: {}", error.what());
  }
  return base::OkStatus();
}

int PendingLookups() { return Pending().load(); }

}  // namespace ashlar::net
