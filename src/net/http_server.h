// An HTTP/1.1 server: strict framing, deadlines on every wait, limits on every size, graceful stop, TLS.
//
// One thread moves bytes; the handler runs on a fixed number of workers (or on that thread when there are none).
// Start() and Stop() may be called by any thread except from inside the handler; the handler is called by several
// workers at once and must be safe for that.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/base.h"
#include "net/http_message.h"
#include "net/limits.h"

namespace ashlar::net {

// Computes the answer to a whole request. What it throws is answered with 500. It should return within a time of its
// own choosing: Stop() waits for it.
using Handler = std::function<Response(const Request&)>;

struct ServerDeadlines {
  absl::Duration header_read = kHeaderReadDeadline;  // over it: 408, close
  absl::Duration body_read = kBodyReadDeadline;      // over it: 408, close
  absl::Duration write = kWriteDeadline;             // over it: close
  absl::Duration idle = kIdleDeadline;               // over it: close
};

struct ServerLimits {
  size_t head_bytes = kMaxHeadBytes;
  size_t body_bytes = kMaxRequestBodyBytes;
  size_t connections = kMaxConnections;
  size_t workers = kDefaultWorkers;  // 0 runs the handler on the thread that moves bytes: for handlers that never wait
  size_t queued_requests = kMaxQueuedRequests;
};

// PEM files. TLS 1.2 and later, no renegotiation, no compression.
struct ServerTls {
  std::string certificate_path;  // the server's certificate, then the intermediate ones
  std::string key_path;
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // a numeric address; "0.0.0.0" or "::" for all
  uint16_t port = 0;                  // 0 takes any free one: port() tells
  ServerDeadlines deadlines;
  ServerLimits limits;
  absl::Duration stop_grace = kStopGrace;
  std::optional<ServerTls> tls;
};

// What the server has done since its start.
struct ServerCounters {
  uint64_t connections = 0;          // accepted
  uint64_t refused_connections = 0;  // over the limit
  uint64_t requests = 0;             // handed to the handler
  uint64_t refused_requests = 0;     // malformed, too large or without a free worker
  uint64_t timeouts = 0;             // header, body, write and idle deadlines
  size_t open_connections = 0;       // now
};

class Server {
 public:
  // Listens and serves. kAlreadyExists when the port is taken, kPermissionDenied when it may not be had,
  // kInvalidArgument for an address, a limit or a PEM file that cannot be used.
  static base::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler handler);
  ~Server();  // Stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  // "http://127.0.0.1:8080" or "https://[::1]:8443".
  std::string url() const;
  ServerCounters counters() const;

  // No new connections; requests in flight get their answer for `stop_grace`, then everything is closed. Returns when
  // all is closed and the last handler has returned. Further calls do nothing.
  void Stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ashlar::net
