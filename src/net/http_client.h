// An HTTP/1.1 client: strict framing, one deadline over everything, certificates verified, connections reused.
//
// Never asks the environment for a proxy: what is fetched is fetched from the host in the URL. Redirects come back as
// they are. A Client is for one thread at a time; Fetch() may be called by any.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/base.h"
#include "net/http_message.h"
#include "net/limits.h"

namespace ashlar::net {

struct ClientTls {
  std::string ca_path;             // PEM file with the trusted roots; "" takes the machine's
  bool verify_certificate = true;  // chain and name; false is for a test on loopback, never for a secret
};

struct ClientOptions {
  absl::Duration deadline = kRequestDeadline;          // name lookup to last byte, retry included
  absl::Duration connect_deadline = kConnectDeadline;  // name lookup, TCP and TLS handshake
  size_t head_bytes = kMaxHeadBytes;
  size_t body_bytes = kMaxResponseBodyBytes;
  ClientTls tls;
};

// Sends requests and keeps connections for the next one.
class Client {
 public:
  explicit Client(const ClientOptions& options = {});
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  // The final response, whatever its status; interim ones (1xx) are skipped. `request.target` is the whole URL; Host
  // and the framing headers are written for the caller. A request that may be repeated is sent once more when a reused
  // connection turns out to be closed before a byte of the answer came.
  //
  // kInvalidArgument for a bad URL or header, kUnavailable when the host cannot be found or reached or hangs up early,
  // kDeadlineExceeded, kUnauthenticated for a certificate that cannot be verified, kDataLoss for an answer that breaks
  // the protocol or is cut short, kResourceExhausted for one over a limit. Every message names the URL.
  base::StatusOr<Response> Fetch(const Request& request);

  // Connections kept open now.
  size_t idle_connections() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// One request on a connection of its own. Errors as Client::Fetch.
base::StatusOr<Response> Fetch(const Request& request, const ClientOptions& options = {});

// GET of a URL. Errors as Client::Fetch.
base::StatusOr<Response> FetchUrl(std::string_view url, const ClientOptions& options = {});

}  // namespace ashlar::net
