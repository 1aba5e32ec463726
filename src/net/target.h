// Request targets and URLs taken apart (RFC 3986, RFC 9112 section 3.2). Any thread may call these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"

namespace ashlar::net {

// What a server asks of a request's target.
struct Target {
  std::string path;                                        // percent-decoded, starts with '/', or "*"
  std::vector<std::pair<std::string, std::string>> query;  // decoded, '+' is a blank, in order, duplicates kept

  // The first value of that key; "" when there is none.
  std::string_view Query(std::string_view key) const;
};

// Takes "/path?query" or a whole URL apart. kInvalidArgument for bad percent-encoding, a NUL or a ".." step in the
// decoded path: nothing above the root can be named.
base::StatusOr<Target> ParseTarget(std::string_view target);

// Where a client connects and what it asks for there.
struct Url {
  bool tls = false;
  std::string host;  // a name or a numeric address without brackets
  uint16_t port = 80;
  std::string authority;  // for the Host header: brackets around IPv6, the port unless it is the scheme's own
  std::string target;     // path and query, at least "/"
};

// kInvalidArgument unless `url` is http:// or https:// with a host; a user name or password in it is refused, since it
// would end in logs. A fragment is dropped: it is never sent.
base::StatusOr<Url> ParseUrl(std::string_view url);

}  // namespace ashlar::net
