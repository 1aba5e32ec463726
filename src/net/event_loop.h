// Sockets, timers and TLS of one thread. Asio and OpenSSL's streams live behind it, in the .cc file alone.
//
// One thread runs the loop; Post() and Stop() may be called by any, everything else belongs to that thread (or happens
// before it runs). Streams and listeners must be gone before the loop is.
#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/base.h"
#include "net/resolver.h"
#include "net/stream.h"
#include "net/tls_context.h"

namespace ashlar::net {

// shared_ptr: operations under way keep a stream alive that its owner has let go.
using StreamPointer = std::shared_ptr<Stream>;

// Accepts until it is destroyed.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual uint16_t port() const = 0;
};

struct ListenOptions {
  Endpoint endpoint;
  const TlsContext* tls = nullptr;  // outlives the listener; nullptr: plain
  absl::Duration handshake_deadline;
  // Decides about a connection before its handshake; false closes it at once, after `refusal` when it is plain.
  std::function<bool()> admits;
  std::string refusal;
  // Called for each connection that is ready to read, and for each one that was admitted and failed its handshake
  // (nullptr).
  std::function<void(StreamPointer)> on_accept;
};

struct ConnectOptions {
  Endpoint endpoint;
  const TlsContext* tls = nullptr;  // outlives the stream
  std::string host;                 // the name that the certificate must be valid for
  absl::Duration timeout;           // TCP and TLS together
};

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // kAlreadyExists when the port is taken, kPermissionDenied, kInvalidArgument for an address that is not ours.
  base::StatusOr<std::unique_ptr<Listener>> Listen(const ListenOptions& options);
  // kUnavailable, kDeadlineExceeded, kUnauthenticated, kInvalidArgument.
  using Connected = std::function<void(base::StatusOr<StreamPointer>)>;
  void Connect(const ConnectOptions& options, Connected done);
  // Calls `work` on the loop's thread, soon.
  void Post(std::function<void()> work);
  // Handles events until Stop().
  void Run();
  // Handles events until `done` says so or `timeout` is over; false for the latter.
  bool RunUntil(const std::function<bool()>& done, absl::Duration timeout);
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ashlar::net
